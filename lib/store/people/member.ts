import { z } from 'zod';
import type { ProjectId, UserId } from '@/lib/domain/id';
import { roleSchema, type Role } from '@/lib/domain/role';
import { id, instant } from '../columns';
import type { Sql } from '../sql';

export interface MemberRef {
  readonly projectId: ProjectId;
  readonly userId: UserId;
}

export interface MemberRow extends MemberRef {
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
  /** Has a lasting way to sign in. */
  readonly canSignIn: boolean;
  readonly createdAt: Date;
}

const SELECT = `
SELECT m.project_id, m.user_id, m.role, m.created_at, u.name, u.email,
       (u.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM linked_account l WHERE l.user_id = u.id)) AS can_sign_in
  FROM member m JOIN app_user u ON u.id = m.user_id
 WHERE m.project_id = $1`;

const LIST = `${SELECT} AND (m.created_at, m.user_id) > ($2::timestamptz, $3) ORDER BY m.created_at, m.user_id LIMIT $4`;
const READ = `${SELECT} AND m.user_id = $2`;
/** Whoever changes the admins of a project holds its row: of two who remove each other one is too late. */
const LOCK_PROJECT = `SELECT id FROM project WHERE id = $1 FOR NO KEY UPDATE`;
const OTHER_ADMINS = `
SELECT m.user_id FROM member m JOIN app_user u ON u.id = m.user_id
 WHERE m.project_id = $1 AND m.user_id <> $2 AND m.role = 'admin' AND u.disabled_at IS NULL LIMIT 1`;
const ADMINS_ABLE = `${SELECT} AND m.role = 'admin' AND u.disabled_at IS NULL ORDER BY m.created_at, m.user_id`;
const INSERT = `INSERT INTO member (project_id, user_id, role) VALUES ($1, $2, $3)`;
const UPDATE = `UPDATE member SET role = $3 WHERE project_id = $1 AND user_id = $2`;
const DELETE_TOKENS = `DELETE FROM api_token WHERE project_id = $1 AND user_id = $2`;
const DELETE = `DELETE FROM member WHERE project_id = $1 AND user_id = $2`;

const row = z
  .object({
    project_id: id<ProjectId>(),
    user_id: id<UserId>(),
    role: roleSchema,
    created_at: instant,
    name: z.string(),
    email: z.string().nullable(),
    can_sign_in: z.boolean(),
  })
  .transform((found): MemberRow => ({
    projectId: found.project_id,
    userId: found.user_id,
    role: found.role,
    createdAt: found.created_at,
    name: found.name,
    email: found.email,
    canSignIn: found.can_sign_in,
  }));

export interface MemberPlace {
  readonly createdAt: Date;
  readonly userId: string;
}

/** In the order of joining, those after `after`. */
export function listMemberRows(sql: Sql, projectId: ProjectId, after: MemberPlace, limit: number): Promise<readonly MemberRow[]> {
  return sql.rows(row, LIST, projectId, after.createdAt, after.userId, limit);
}

export async function readMember(sql: Sql, { projectId, userId }: MemberRef): Promise<MemberRow | null> {
  return (await sql.rows(row, READ, projectId, userId))[0] ?? null;
}

export async function lockProject(sql: Sql, projectId: ProjectId): Promise<void> {
  await sql.rows(z.object({ id: z.string() }), LOCK_PROJECT, projectId);
}

/** Under `lockProject`. */
export async function hasOtherAdmin(sql: Sql, { projectId, userId }: MemberRef): Promise<boolean> {
  return (await sql.rows(z.object({ user_id: z.string() }), OTHER_ADMINS, projectId, userId)).length > 0;
}

/** The admins of a project, the first to join first. */
export const listAdmins = (sql: Sql, projectId: ProjectId): Promise<readonly MemberRow[]> => sql.rows(row, ADMINS_ABLE, projectId);

export async function insertMember(sql: Sql, member: MemberRef & { readonly role: Role }): Promise<void> {
  await sql.rows(z.never(), INSERT, member.projectId, member.userId, member.role);
}

export async function updateMemberRole(sql: Sql, member: MemberRef & { readonly role: Role }): Promise<void> {
  await sql.rows(z.never(), UPDATE, member.projectId, member.userId, member.role);
}

/** With the tokens that were worth something through it. */
export async function deleteMember(sql: Sql, { projectId, userId }: MemberRef): Promise<void> {
  await sql.rows(z.never(), DELETE_TOKENS, projectId, userId);
  await sql.rows(z.never(), DELETE, projectId, userId);
}
