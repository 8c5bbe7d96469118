import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import { RUN_COLUMNS, runRow, type RunRow } from './read-run';
import type { Sql } from './sql';

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
 * wherever it begins. One text for all filters, since an absent one is a constant for
 * the planner; only a search reads further than its page.
 */
const LIST = `
SELECT ${RUN_COLUMNS} FROM run r
 WHERE r.project_id = $1
   AND ($2::text[] IS NULL OR r.status = ANY($2))
   AND ($3::text IS NULL OR r.session_id = $3)
   AND ($4::text IS NULL OR r.task_text ILIKE $4)
   AND ($5::timestamptz IS NULL OR r.created_at >= $5)
   AND ($6::boolean OR r.parent_run_id IS NULL)
   AND ($7::timestamptz IS NULL OR (r.created_at, r.id) < ($7, $8::text))
   AND ($10::text[] IS NULL OR r.created_by = ANY($10))
 ORDER BY r.created_at DESC, r.id DESC
 LIMIT $9`;

export function listRunRows(sql: Sql, filter: RunFilter): Promise<readonly RunRow[]> {
  return sql.rows(
    runRow,
    LIST,
    filter.projectId,
    filter.statuses,
    filter.sessionId,
    filter.q === null ? null : `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`,
    filter.since,
    filter.children,
    filter.before?.createdAt ?? null,
    filter.before?.id ?? '',
    filter.limit,
    filter.createdBy,
  );
}
