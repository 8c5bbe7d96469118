import { findAccount } from '@/lib/store/people/account';
import { auditSignIn } from './audit';
import type { AuthContext, SignedIn } from './auth-context';
import { emailSchema } from './email';
import { countedAttempt } from './limit-attempts';
import { verifyPassword } from './password';

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  /** Where it comes from. */
  readonly address: string;
}

export type SignInOutcome =
  | { readonly ok: true; readonly person: SignedIn }
  /** Which of the two was wrong is not said, nor is it to be told by the time it took. */
  | { readonly ok: false; readonly code: 'wrong' }
  | { readonly ok: false; readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number };

const LONGEST_PASSWORD = 1_024;

/** @throws StoreError */
export async function signInWithPassword(context: AuthContext, { email, password, address }: PasswordSignIn): Promise<SignInOutcome> {
  const { store } = context;
  const parsed = emailSchema.safeParse(email);
  const attempt = await countedAttempt(store, parsed.success ? parsed.data : 'none', address);
  if (!attempt.allowed) {
    return { ok: false, code: 'too_many_attempts', retryAfterSeconds: attempt.retryAfterSeconds };
  }
  const account = parsed.success ? await findAccount(store, parsed.data) : null;
  const isRight = password.length <= LONGEST_PASSWORD && (await verifyPassword(password, account?.passwordHash ?? null));
  const method = { method: 'password', address };
  if (account === null || !isRight) {
    await store.transaction((sql) => auditSignIn(context, sql, 'sign_in_failed', account?.userId ?? null, method));
    return { ok: false, code: 'wrong' };
  }
  await attempt.succeeded();
  await store.transaction((sql) => auditSignIn(context, sql, 'signed_in', account.userId, method));
  const { userId, name, authEpoch } = account;
  return { ok: true, person: { userId, name, authEpoch } };
}
