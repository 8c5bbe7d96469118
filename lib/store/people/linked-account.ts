import { z } from 'zod';
import type { UserId } from '@/lib/domain/id';
import { id } from '../columns';
import type { Sql } from '../sql';

const FIND = `
SELECT l.user_id FROM linked_account l JOIN app_user u ON u.id = l.user_id
 WHERE l.issuer = $1 AND l.subject = $2 AND u.disabled_at IS NULL`;

const IS_LINKED = `SELECT user_id FROM linked_account WHERE issuer = $1 AND subject = $2`;

/** Invited by this address, and never there: nobody else's account can be taken over by it. */
const FIND_INVITED = `
SELECT u.id AS user_id FROM app_user u
 WHERE u.email = $1 AND u.disabled_at IS NULL AND u.password_hash IS NULL
   AND NOT EXISTS (SELECT 1 FROM linked_account l WHERE l.user_id = u.id)
   FOR NO KEY UPDATE OF u`;

const INSERT = `INSERT INTO linked_account (issuer, subject, user_id) VALUES ($1, $2, $3)`;

const row = z.object({ user_id: id<UserId>() });

export interface ForeignIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export async function findLinkedPerson(sql: Sql, identity: ForeignIdentity): Promise<UserId | 'disabled' | null> {
  const [found] = await sql.rows(row, FIND, identity.issuer, identity.subject);
  if (found !== undefined) return found.user_id;
  return (await sql.rows(row, IS_LINKED, identity.issuer, identity.subject)).length > 0 ? 'disabled' : null;
}

export async function findInvitedPerson(sql: Sql, email: string): Promise<UserId | null> {
  return (await sql.rows(row, FIND_INVITED, email))[0]?.user_id ?? null;
}

export async function linkAccount(sql: Sql, identity: ForeignIdentity, userId: UserId): Promise<void> {
  await sql.rows(z.never(), INSERT, identity.issuer, identity.subject, userId);
}
