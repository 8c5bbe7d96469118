import { z } from 'zod';
import type { ProjectId, UserId } from '@/lib/domain/id';
import { roleSchema, type Role } from '@/lib/domain/role';
import { id, integer } from './columns';
import type { Sql } from './sql';

export interface PersonNow {
  readonly userId: UserId;
  readonly name: string;
  readonly authEpoch: number;
  /** Of the project they joined first; null where they joined none. */
  readonly membership: { readonly projectId: ProjectId; readonly role: Role } | null;
}

const READ = `
SELECT u.id, u.name, u.auth_epoch, m.project_id, m.role
  FROM app_user u
  LEFT JOIN LATERAL (SELECT project_id, role FROM member WHERE user_id = u.id ORDER BY created_at, project_id LIMIT 1) m ON true
 WHERE u.id = $1 AND u.disabled_at IS NULL`;

const row = z
  .object({ id: id<UserId>(), name: z.string(), auth_epoch: integer, project_id: id<ProjectId>().nullable(), role: roleSchema.nullable() })
  .transform((found): PersonNow => ({
    userId: found.id,
    name: found.name,
    authEpoch: found.auth_epoch,
    membership: found.project_id === null || found.role === null ? null : { projectId: found.project_id, role: found.role },
  }));

/** @returns null for nobody, or a person who was disabled. */
export async function readMembership(sql: Sql, userId: UserId): Promise<PersonNow | null> {
  return (await sql.rows(row, READ, userId))[0] ?? null;
}
