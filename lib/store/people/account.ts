import { z } from 'zod';
import type { UserId } from '@/lib/domain/id';
import { id, integer } from '../columns';
import type { Sql } from '../sql';

/** What is known of a person who may sign in. */
export interface Account {
  readonly userId: UserId;
  /** Trimmed and in lower case. */
  readonly email: string | null;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly authEpoch: number;
  /** By a password or by another party's word: a link is no lasting way. */
  readonly canSignIn: boolean;
}

const COLUMNS = `u.id, u.email, u.name, u.password_hash, u.auth_epoch,
  (u.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM linked_account l WHERE l.user_id = u.id)) AS can_sign_in`;

const row = z
  .object({ id: id<UserId>(), email: z.string().nullable(), name: z.string(), password_hash: z.string().nullable(), auth_epoch: integer, can_sign_in: z.boolean() })
  .transform((found): Account => ({
    userId: found.id,
    email: found.email,
    name: found.name,
    passwordHash: found.password_hash,
    authEpoch: found.auth_epoch,
    canSignIn: found.can_sign_in,
  }));

const BY_EMAIL = `SELECT ${COLUMNS} FROM app_user u WHERE u.email = $1 AND u.disabled_at IS NULL`;
const BY_ID = `SELECT ${COLUMNS} FROM app_user u WHERE u.id = $1 AND u.disabled_at IS NULL`;
const BY_ID_LOCKED = `${BY_ID} FOR NO KEY UPDATE OF u`;
const INSERT = `INSERT INTO app_user (id, email, name) VALUES ($1, $2, $3)`;
const UPDATE = `UPDATE app_user SET email = $2, name = $3, password_hash = $4 WHERE id = $1`;
/** Ends every session of the person: theirs carry the epoch under which they were made. */
const RAISE_EPOCH = `UPDATE app_user SET auth_epoch = auth_epoch + 1 WHERE id = $1 RETURNING auth_epoch`;

export async function findAccount(sql: Sql, email: string): Promise<Account | null> {
  return (await sql.rows(row, BY_EMAIL, email))[0] ?? null;
}

export async function readAccount(sql: Sql, userId: UserId): Promise<Account | null> {
  return (await sql.rows(row, BY_ID, userId))[0] ?? null;
}

/** For a transaction that changes it. */
export async function lockAccount(sql: Sql, userId: UserId): Promise<Account | null> {
  return (await sql.rows(row, BY_ID_LOCKED, userId))[0] ?? null;
}

export async function insertAccount(sql: Sql, person: Pick<Account, 'userId' | 'email' | 'name'>): Promise<void> {
  await sql.rows(z.never(), INSERT, person.userId, person.email, person.name);
}

export async function updateAccount(sql: Sql, person: Pick<Account, 'userId' | 'email' | 'name' | 'passwordHash'>): Promise<void> {
  await sql.rows(z.never(), UPDATE, person.userId, person.email, person.name, person.passwordHash);
}

/** @returns the new epoch */
export async function raiseEpoch(sql: Sql, userId: UserId): Promise<number> {
  const [raised] = await sql.rows(z.object({ auth_epoch: integer }), RAISE_EPOCH, userId);
  if (raised === undefined) throw new Error('the epoch of nobody cannot be raised');
  return raised.auth_epoch;
}
