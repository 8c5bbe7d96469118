import type { ProjectId, UserId } from '@/lib/domain/id';
import type { Role } from '@/lib/domain/role';
import { listMemberRows, readMember, type MemberRow } from '@/lib/store/people/member';
import type { Sql } from '@/lib/store/sql';
import { CURSOR_ID, CURSOR_TIME, readCursor, writeCursor } from './page-cursor';

export interface MemberView {
  readonly id: UserId;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  /** False: invited, and has no lasting way to sign in yet. */
  readonly can_sign_in: boolean;
  readonly created_at: string;
}

export interface MemberPage {
  readonly items: readonly MemberView[];
  readonly next_cursor: string | null;
}

/**
 * Who belongs to the project, in the order of joining.
 * @returns null for a cursor that no page gave.
 */
export async function listMembers(
  sql: Sql,
  projectId: ProjectId,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<MemberPage | null> {
  const cursor = page.cursor === undefined ? ['0', ''] : readCursor(page.cursor, CURSOR_TIME, CURSOR_ID);
  if (cursor === null) return null;
  const [time, userId] = cursor;
  const rows = await listMemberRows(sql, projectId, { createdAt: new Date(Number(time)), userId: userId ?? '' }, page.limit + 1);
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const next = rows.length > page.limit && last !== undefined ? writeCursor(last.createdAt.getTime(), last.userId) : null;
  return { items: items.map(memberView), next_cursor: next };
}

export async function showMember(sql: Sql, projectId: ProjectId, userId: UserId): Promise<MemberView | null> {
  const row = await readMember(sql, { projectId, userId });
  return row === null ? null : memberView(row);
}

const memberView = (row: MemberRow): MemberView => ({
  id: row.userId,
  name: row.name,
  email: row.email,
  role: row.role,
  can_sign_in: row.canSignIn,
  created_at: row.createdAt.toISOString(),
});
