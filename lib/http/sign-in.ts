/**
 * What the sign-in pages call from server actions. Each goes on by a redirect within
 * this site where it succeeds, and says why where it does not.
 */
import { CredentialsSignin } from 'next-auth';
import { redirect } from 'next/navigation';
import { safeCallbackUrl } from '@/lib/auth/callback-url';
import { isLinkOpen as isOpen } from '@/lib/auth/sign-in-link';
import { signIn, signOut } from './next-auth';
import { webSystem } from './web-system';

/** `wrong`: e-mail address and password do not belong together. `link_used`: used, over, or never one. */
export type SignInRefusal = 'wrong' | 'too_many_attempts' | 'link_used';

export async function signInByPassword(form: {
  readonly email: string;
  readonly password: string;
  readonly callbackUrl: string;
}): Promise<SignInRefusal> {
  const refusal = await attempt('password', { email: form.email, password: form.password });
  if (refusal !== null) return refusal;
  redirect(safeCallbackUrl(form.callbackUrl));
}

/**
 * Uses the link up; call it from a POST only. Whoever came by a link goes to `/welcome`
 * to choose a password.
 */
export async function signInByLink(token: string): Promise<SignInRefusal> {
  const refusal = await attempt('link', { token });
  if (refusal !== null) return refusal;
  redirect('/welcome');
}

/** Goes to the configured provider and comes back to `callbackUrl`. */
export async function signInByProvider(callbackUrl: string): Promise<never> {
  await signIn('oidc', { redirectTo: safeCallbackUrl(callbackUrl) });
  throw new Error('the provider was not reached');
}

export async function signOutHere(): Promise<never> {
  await signOut({ redirect: false });
  redirect('/sign-in');
}

/** Whether the page of a link has a button to offer. */
export async function isLinkOpen(token: unknown): Promise<boolean> {
  return isOpen(await webSystem(), token);
}

/** What the button to a provider says; null where none is configured. */
export async function providerName(): Promise<string | null> {
  return (await webSystem()).configuration.auth.oidc?.name ?? null;
}

/** Where a redirect to another host of this server would lose the cookie, none is made: the pages redirect by path. */
async function attempt(provider: 'password' | 'link', shown: Readonly<Record<string, string>>): Promise<SignInRefusal | null> {
  try {
    await signIn(provider, { ...shown, redirect: false });
    return null;
  } catch (error) {
    if (error instanceof CredentialsSignin) return REFUSALS.find((code) => code === error.code) ?? 'wrong';
    throw error;
  }
}

const REFUSALS: readonly SignInRefusal[] = ['wrong', 'too_many_attempts', 'link_used'];
