import { cleanText } from '@/lib/domain/clean';
import { findAccount, insertAccount, readAccount } from '@/lib/store/people/account';
import { findInvitedPerson, findLinkedPerson, linkAccount } from '@/lib/store/people/linked-account';
import type { Sql } from '@/lib/store/sql';
import { auditSignIn } from './audit';
import type { AuthContext, SignedIn } from './auth-context';
import { emailSchema } from './email';

/** What an OpenID provider says of somebody. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** The provider's word that the address is theirs; without it the address finds nobody. */
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/**
 * The person behind a provider's identity: known by (issuer, subject) alone. Somebody
 * new becomes the person who was invited by that verified address and never came, else
 * a new one, who belongs to no project until invited. An account that somebody uses
 * is never given to another by its address.
 * @returns null for a person who was disabled.
 * @throws StoreError
 */
export function signInWithProvider(context: AuthContext, identity: ProviderIdentity): Promise<SignedIn | null> {
  return context.store.transaction(async (sql) => {
    const linked = await findLinkedPerson(sql, identity);
    if (linked === 'disabled') return null;
    const userId = linked ?? (await firstVisit(context, sql, identity));
    const account = await readAccount(sql, userId);
    if (account === null) return null;
    await auditSignIn(context, sql, 'signed_in', userId, { method: 'provider', issuer: identity.issuer });
    return { userId, name: account.name, authEpoch: account.authEpoch };
  });
}

async function firstVisit({ newId }: AuthContext, sql: Sql, identity: ProviderIdentity): Promise<`usr_${string}`> {
  const email = identity.emailVerified ? (emailSchema.safeParse(identity.email).data ?? null) : null;
  const invited = email === null ? null : await findInvitedPerson(sql, email);
  const userId = invited ?? newId('usr');
  if (invited === null) {
    const isFree = email !== null && (await findAccount(sql, email)) === null;
    const name = cleanText(identity.name ?? '', { maxBytes: 200 }).text.trim();
    await insertAccount(sql, { userId, email: isFree ? email : null, name: name === '' ? (email ?? 'Somebody') : name });
  }
  await linkAccount(sql, identity, userId);
  return userId;
}
