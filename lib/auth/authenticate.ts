import { getToken } from 'next-auth/jwt';
import { z } from 'zod';
import { isId, type UserId } from '@/lib/domain/id';
import type { Store } from '@/lib/store/database';
import { readApiToken } from '@/lib/store/api-tokens';
import { readMembership } from '@/lib/store/read-membership';
import { weakerRole } from '@/lib/domain/role';
import { hashSecret } from './secret';
import type { AuthSettings } from './auth-settings';
import type { Principal } from './principal';

export interface AuthParts {
  readonly store: Pick<Store, 'rows'>;
  readonly settings: AuthSettings;
}

export type Authentication =
  | { readonly kind: 'principal'; readonly principal: Principal }
  /** A person who signed in and was invited nowhere (yet). */
  | { readonly kind: 'no_project'; readonly userId: UserId }
  | { readonly kind: 'nobody' };

const NOBODY: Authentication = { kind: 'nobody' };

/**
 * Who sent these headers: by `Authorization: Bearer`, else by the session cookie. A
 * token that is not valid is nobody, whatever cookie comes with it. Role and epoch are
 * the database's at this moment: what was revoked is worth nothing with the next request.
 * @throws StoreError
 */
export async function authenticate(parts: AuthParts, headers: Headers): Promise<Authentication> {
  const authorization = headers.get('authorization');
  return authorization === null ? bySession(parts, headers) : byToken(parts, authorization);
}

async function byToken({ store }: AuthParts, authorization: string): Promise<Authentication> {
  const token = /^Bearer +(.{16,4096}?) *$/i.exec(authorization)?.[1];
  if (token === undefined) return NOBODY;
  const found = await readApiToken(store, hashSecret(token));
  if (found === null) return NOBODY;
  const { userId, projectId, tokenId, name } = found;
  return { kind: 'principal', principal: { userId, projectId, tokenId, name, role: weakerRole(found.role, found.memberRole), via: 'token' } };
}

const Claims = z.object({ sub: z.custom<UserId>((value) => isId('usr', value)), epoch: z.number().int() });

async function bySession({ store, settings }: AuthParts, headers: Headers): Promise<Authentication> {
  const { secret, cookieName, secureCookies } = settings;
  if (headers.get('cookie')?.includes(cookieName) !== true) return NOBODY;
  const token = await getToken({ req: { headers }, secret, cookieName, salt: cookieName, secureCookie: secureCookies });
  const claims = Claims.safeParse(token);
  if (!claims.success) return NOBODY;
  const person = await readMembership(store, claims.data.sub);
  if (person === null || person.authEpoch !== claims.data.epoch) return NOBODY;
  const { userId, name, membership } = person;
  if (membership === null) return { kind: 'no_project', userId };
  return { kind: 'principal', principal: { userId, name, ...membership, via: 'session' } };
}
