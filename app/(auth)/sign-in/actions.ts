'use server';
import { signInByLink, signInByPassword, signInByProvider } from '@/lib/http/sign-in';
import type { SignInState } from '@/components/auth/password-form';
import { REFUSAL_WORDS } from './refusal-words';

const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

export async function signInWithPassword(_before: SignInState, form: FormData): Promise<SignInState> {
  const email = text(form, 'email');
  const refusal = await signInByPassword({ email, password: text(form, 'password'), callbackUrl: text(form, 'callbackUrl') });
  return { email, message: REFUSAL_WORDS[refusal] };
}

export async function signInWithLink(_before: string | null, form: FormData): Promise<string | null> {
  return REFUSAL_WORDS[await signInByLink(text(form, 'token'))];
}

export async function signInWithProvider(_before: string | null, form: FormData): Promise<string | null> {
  await signInByProvider(text(form, 'callbackUrl'));
  return null;
}
