import { z } from 'zod';
import type { ProjectId, TokenId, UserId } from '@/lib/domain/id';
import { roleSchema, type Role } from '@/lib/domain/role';
import { id, instant } from './columns';
import type { Sql } from './sql';

export interface ShownToken {
  readonly tokenId: TokenId;
  readonly userId: UserId;
  readonly projectId: ProjectId;
  readonly role: Role;
  /** Its owner's role in the project, now. */
  readonly memberRole: Role;
  readonly name: string;
}

/**
 * Reads a valid token and notes its use, at most once a minute: a busy client must not
 * make a row's version with every request.
 */
const READ = `
WITH valid AS (
  SELECT t.id, t.project_id, t.user_id, t.role, m.role AS member_role, u.name
    FROM api_token t
    JOIN member m ON m.project_id = t.project_id AND m.user_id = t.user_id
    JOIN app_user u ON u.id = t.user_id AND u.disabled_at IS NULL
   WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
), noted AS (
  UPDATE api_token SET last_used_at = now()
   WHERE id IN (SELECT id FROM valid) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
)
SELECT * FROM valid`;

const row = z
  .object({ id: id<TokenId>(), project_id: id<ProjectId>(), user_id: id<UserId>(), role: roleSchema, member_role: roleSchema, name: z.string() })
  .transform((found): ShownToken => ({
    tokenId: found.id,
    userId: found.user_id,
    projectId: found.project_id,
    role: found.role,
    memberRole: found.member_role,
    name: found.name,
  }));

/** @returns null for what is no token, revoked, expired, or of a person who is no member any more. */
export async function readApiToken(sql: Sql, hash: string): Promise<ShownToken | null> {
  return (await sql.rows(row, READ, hash))[0] ?? null;
}

export interface TokenRow {
  readonly tokenId: TokenId;
  readonly userId: UserId;
  readonly ownerName: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface TokenQuery {
  readonly projectId: ProjectId;
  /** Only this person's. */
  readonly userId?: UserId;
  /** Ids sort by time: those made before this one. */
  readonly before?: string;
  readonly limit: number;
}

const INSERT = `INSERT INTO api_token (id, project_id, user_id, name, role, hash, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const SELECT = `
SELECT t.id, t.user_id, u.name AS owner_name, t.name, t.role, t.created_at, t.expires_at, t.last_used_at, t.revoked_at
  FROM api_token t JOIN app_user u ON u.id = t.user_id
 WHERE t.project_id = $1`;
const LIST = `${SELECT} AND ($2::text IS NULL OR t.user_id = $2) AND ($3::text IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`;
const READ_ROW = `${SELECT} AND t.id = $2`;
const REVOKE = `UPDATE api_token SET revoked_at = now() WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL`;

const tokenRow = z
  .object({
    id: id<TokenId>(),
    user_id: id<UserId>(),
    owner_name: z.string(),
    name: z.string(),
    role: roleSchema,
    created_at: instant,
    expires_at: instant.nullable(),
    last_used_at: instant.nullable(),
    revoked_at: instant.nullable(),
  })
  .transform((found): TokenRow => ({
    tokenId: found.id,
    userId: found.user_id,
    ownerName: found.owner_name,
    name: found.name,
    role: found.role,
    createdAt: found.created_at,
    expiresAt: found.expires_at,
    lastUsedAt: found.last_used_at,
    revokedAt: found.revoked_at,
  }));

export async function insertApiToken(
  sql: Sql,
  token: {
    readonly tokenId: TokenId;
    readonly projectId: ProjectId;
    readonly userId: UserId;
    readonly name: string;
    readonly role: Role;
    readonly hash: string;
    readonly expiresAt: Date | null;
  },
): Promise<void> {
  await sql.rows(z.never(), INSERT, token.tokenId, token.projectId, token.userId, token.name, token.role, token.hash, token.expiresAt);
}

/** Newest first. */
export function listApiTokens(sql: Sql, query: TokenQuery): Promise<readonly TokenRow[]> {
  return sql.rows(tokenRow, LIST, query.projectId, query.userId ?? null, query.before ?? null, query.limit);
}

export async function readTokenRow(sql: Sql, token: { readonly projectId: ProjectId; readonly tokenId: TokenId }): Promise<TokenRow | null> {
  return (await sql.rows(tokenRow, READ_ROW, token.projectId, token.tokenId))[0] ?? null;
}

/** From now on it is worth nothing; a second time changes nothing. */
export async function revokeApiToken(sql: Sql, token: { readonly projectId: ProjectId; readonly tokenId: TokenId }): Promise<void> {
  await sql.rows(z.never(), REVOKE, token.projectId, token.tokenId);
}
