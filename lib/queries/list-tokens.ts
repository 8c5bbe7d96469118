import type { Principal } from '@/lib/auth/principal';
import { includesRole, type Role } from '@/lib/domain/role';
import { listApiTokens, readTokenRow, type TokenRow } from '@/lib/store/api-tokens';
import type { TokenId } from '@/lib/domain/id';
import type { Sql } from '@/lib/store/sql';
import { CURSOR_ID, readCursor, writeCursor } from './page-cursor';

export interface TokenView {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly owner: { readonly id: string; readonly name: string };
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface TokenPage {
  readonly items: readonly TokenView[];
  readonly next_cursor: string | null;
}

/**
 * The tokens of the project, newest first: one's own, for an admin everybody's.
 * @returns null for a cursor that no page gave.
 */
export async function listTokens(
  sql: Sql,
  principal: Principal,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<TokenPage | null> {
  const cursor = page.cursor === undefined ? [] : readCursor(page.cursor, CURSOR_ID);
  if (cursor === null) return null;
  const [before] = cursor;
  const rows = await listApiTokens(sql, {
    projectId: principal.projectId,
    ...(includesRole(principal.role, 'admin') ? {} : { userId: principal.userId }),
    ...(before === undefined ? {} : { before }),
    limit: page.limit + 1,
  });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  return { items: items.map(tokenView), next_cursor: rows.length > page.limit && last !== undefined ? writeCursor(last.tokenId) : null };
}

export async function showToken(sql: Sql, principal: Principal, tokenId: TokenId): Promise<TokenView | null> {
  const row = await readTokenRow(sql, { projectId: principal.projectId, tokenId });
  return row === null ? null : tokenView(row);
}

const tokenView = (row: TokenRow): TokenView => ({
  id: row.tokenId,
  name: row.name,
  role: row.role,
  owner: { id: row.userId, name: row.ownerName },
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
});
