import { z } from 'zod';
import type { ProjectId, TokenId, UserId } from '@/lib/domain/id';
import { roleSchema, type Role } from '@/lib/domain/role';
import { id } from './columns';
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
