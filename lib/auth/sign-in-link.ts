import type { UserId } from '@/lib/domain/id';
import { readAccount } from '@/lib/store/people/account';
import { insertSignInLink, isSignInLinkOpen, useSignInLink } from '@/lib/store/people/sign-in-link';
import type { Sql } from '@/lib/store/sql';
import { auditSignIn } from './audit';
import type { AuthContext, SignedIn } from './auth-context';
import { hashSecret, newLinkSecret } from './secret';

export interface SignInLink {
  /** The page of the link. It uses nothing up by itself: previews of links open them too. */
  readonly path: string;
  readonly hash: string;
}

/** A new link, to be stored by `keepSignInLink` and shown once. */
export function newSignInLink(): SignInLink {
  const secret = newLinkSecret();
  return { path: `/sign-in/link?token=${secret}`, hash: hashSecret(secret) };
}

/** Takes the place of earlier links of the person. */
export const keepSignInLink = (sql: Sql, link: SignInLink, userId: UserId, createdBy: string, validSeconds: number): Promise<void> =>
  insertSignInLink(sql, { hash: link.hash, userId, createdBy, validSeconds });

const isSecret = (token: unknown): token is string => typeof token === 'string' && /^[A-Za-z0-9_-]{43}$/.test(token);

/** Whether the page of a link has something to offer. */
export async function isLinkOpen({ store }: Pick<AuthContext, 'store'>, token: unknown): Promise<boolean> {
  return isSecret(token) && isSignInLinkOpen(store, hashSecret(token));
}

/**
 * Uses a link up and says whom it signs in. Of many at once one gets the person.
 * @throws StoreError
 */
export async function signInWithLink(context: AuthContext, token: unknown, address: string): Promise<SignedIn | null> {
  if (!isSecret(token)) return null;
  return context.store.transaction(async (sql) => {
    const userId = await useSignInLink(sql, hashSecret(token));
    const account = userId === null ? null : await readAccount(sql, userId);
    if (account === null) return null;
    await auditSignIn(context, sql, 'signed_in', account.userId, { method: 'link', address });
    return { userId: account.userId, name: account.name, authEpoch: account.authEpoch };
  });
}
