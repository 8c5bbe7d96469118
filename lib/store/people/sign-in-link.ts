import { z } from 'zod';
import type { UserId } from '@/lib/domain/id';
import { id } from '../columns';
import type { Sql } from '../sql';

const INSERT = `
INSERT INTO sign_in_link (hash, user_id, created_by, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4::int))`;

/** One of many that use a link at once wins; the others see that it was used. */
const USE = `
UPDATE sign_in_link l SET used_at = now() FROM app_user u
 WHERE l.hash = $1 AND l.used_at IS NULL AND l.expires_at > now() AND u.id = l.user_id AND u.disabled_at IS NULL
RETURNING l.user_id`;

/** Newer links of a person take the place of older ones. */
const EXPIRE = `UPDATE sign_in_link SET used_at = now() WHERE user_id = $1 AND used_at IS NULL`;

const IS_OPEN = `SELECT user_id FROM sign_in_link WHERE hash = $1 AND used_at IS NULL AND expires_at > now()`;

const row = z.object({ user_id: id<UserId>() });

export async function insertSignInLink(
  sql: Sql,
  link: { readonly hash: string; readonly userId: UserId; readonly createdBy: string; readonly validSeconds: number },
): Promise<void> {
  await sql.rows(z.never(), EXPIRE, link.userId);
  await sql.rows(z.never(), INSERT, link.hash, link.userId, link.createdBy, link.validSeconds);
}

/** Uses the link up. @returns whom it signs in; null when it was used, has expired or never was. */
export async function useSignInLink(sql: Sql, hash: string): Promise<UserId | null> {
  return (await sql.rows(row, USE, hash))[0]?.user_id ?? null;
}

/** Whether it would still sign somebody in; uses nothing up. */
export async function isSignInLinkOpen(sql: Sql, hash: string): Promise<boolean> {
  return (await sql.rows(row, IS_OPEN, hash)).length > 0;
}
