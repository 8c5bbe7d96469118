import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import { RUN_COLUMNS, runRow, type RunRow } from './read-run';
import type { Sql, SqlValue } from './sql';

export interface RunFilter {
  readonly projectId: ProjectId;
  readonly statuses: readonly RunStatus[] | null;
  readonly sessionId: SessionId | null;
  /** A part of the task's text, in any case. */
  readonly q: string | null;
  readonly since: Date | null;
  readonly children: boolean;
  /** Only what these actors submitted. */
  readonly createdBy: readonly string[] | null;
  /** Place of the last run of the page before. */
  readonly before: { readonly createdAt: Date; readonly id: string } | null;
  readonly limit: number;
}

/**
 * Newest first, by the index on (project, created_at, id): a page costs the same
 * wherever it begins; only a search reads further than its page.
 *
 * Absent filters are left out of the text. As `$2 IS NULL OR …` they would stay in the
 * plan that a prepared statement keeps, and no filter could use its index.
 */
export function listRunRows(sql: Sql, filter: RunFilter): Promise<readonly RunRow[]> {
  const values: SqlValue[] = [filter.projectId];
  const conditions = ['r.project_id = $1'];
  const given = (value: SqlValue): string => `$${values.push(value)}`;

  if (filter.statuses !== null) conditions.push(`r.status = ANY(${given(filter.statuses)}::text[])`);
  if (filter.sessionId !== null) conditions.push(`r.session_id = ${given(filter.sessionId)}`);
  if (filter.q !== null) conditions.push(`r.task_text ILIKE ${given(`%${filter.q.replace(/[\\%_]/g, '\\$&')}%`)}`);
  if (filter.since !== null) conditions.push(`r.created_at >= ${given(filter.since)}::timestamptz`);
  if (!filter.children) conditions.push('r.parent_run_id IS NULL');
  if (filter.createdBy !== null) conditions.push(`r.created_by = ANY(${given(filter.createdBy)}::text[])`);
  if (filter.before !== null) {
    const { createdAt, id } = filter.before;
    conditions.push(`(r.created_at, r.id) < (${given(createdAt)}::timestamptz, ${given(id)}::text)`);
  }
  const text = `
SELECT ${RUN_COLUMNS} FROM run r
 WHERE ${conditions.join('\n   AND ')}
 ORDER BY r.created_at DESC, r.id DESC
 LIMIT ${given(filter.limit)}`;
  return sql.rows(runRow, text, ...values);
}
