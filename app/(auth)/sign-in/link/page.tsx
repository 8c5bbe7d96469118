import type { Metadata } from 'next';
import { AuthCard } from '@/components/auth/auth-card';
import { OneButtonForm } from '@/components/auth/one-button-form';
import { ButtonLink } from '@/components/ui/button-link';
import { isLinkOpen } from '@/lib/http/sign-in';
import { signInWithLink } from '../actions';

export const metadata: Metadata = { title: 'Your link', referrer: 'no-referrer' };

interface LinkProps {
  readonly searchParams: Promise<{ readonly token?: string | string[] }>;
}

/** Opening the page uses nothing up: previews of links open it too. The button does. */
export default async function LinkPage({ searchParams }: LinkProps) {
  const { token } = await searchParams;
  if (typeof token !== 'string' || !(await isLinkOpen(token))) {
    return (
      <AuthCard title="This link is used up" lead="It was used already, or its time is over. Ask an admin for another one; starting Pilothouse again prints one as long as nobody can sign in.">
        <ButtonLink href="/sign-in">To the sign-in page</ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Welcome aboard" lead="This link works once. It signs you in on this device.">
      <OneButtonForm action={signInWithLink} values={{ token }}>
        Sign in
      </OneButtonForm>
    </AuthCard>
  );
}
