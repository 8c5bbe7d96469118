import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentCall } from '@/app/session/page-call';
import { AuthCard } from '@/components/auth/auth-card';
import { OneButtonForm } from '@/components/auth/one-button-form';
import { PasswordForm } from '@/components/auth/password-form';
import { safeCallbackUrl } from '@/lib/auth/callback-url';
import { providerName } from '@/lib/http/sign-in';
import { signInWithPassword, signInWithProvider } from './actions';

export const metadata: Metadata = { title: 'Sign in' };

interface SignInProps {
  readonly searchParams: Promise<{ readonly callbackUrl?: string | string[]; readonly error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInProps) {
  const { callbackUrl: given, error } = await searchParams;
  const callbackUrl = safeCallbackUrl(given);
  if ((await currentCall()) !== null) redirect(callbackUrl);
  const provider = await providerName();
  return (
    <AuthCard title="Sign in" lead="To see what your agents did, and how it ended.">
      <PasswordForm
        action={signInWithPassword}
        callbackUrl={callbackUrl}
        message={error === undefined ? null : 'Signing in did not work. Try again, or another way.'}
      />
      {provider === null ? null : (
        <>
          <p className="flex items-center gap-3 text-xs text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">or</p>
          <OneButtonForm action={signInWithProvider} values={{ callbackUrl }} look="plain">
            Continue with {provider}
          </OneButtonForm>
        </>
      )}
      <p className="text-xs text-ink-faint">New here? An admin of your project can make a one-time link for you.</p>
    </AuthCard>
  );
}
