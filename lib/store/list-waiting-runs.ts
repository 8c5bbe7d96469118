import type { ProjectId } from '@/lib/domain/id';
import { RUN_COLUMNS, runRow, type RunRow } from './read-run';
import type { Sql } from './sql';

/**
 * Root runs that rest until a person does something: the latest of their session, since
 * a session that went on asks for nothing any more. By the index on (project, status,
 * time), of the last 30 days.
 */
const LIST = `
SELECT ${RUN_COLUMNS} FROM run r
 WHERE r.project_id = $1 AND r.parent_run_id IS NULL AND r.created_by = ANY($2)
   AND (r.status IN ('blocked', 'paused', 'interrupted') OR (r.status = 'waiting' AND r.waiting_reason = 'approval'))
   AND (r.terminal -> 'interrupted' ->> 'continues_as') IS NULL
   AND r.created_at > now() - interval '30 days'
   AND NOT EXISTS (
     SELECT 1 FROM run n WHERE n.session_id = r.session_id AND n.parent_run_id IS NULL
        AND (n.turn_number, n.generation) > (r.turn_number, r.generation))
 ORDER BY r.created_at DESC, r.id DESC LIMIT $3`;

export function listWaitingRuns(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly createdBy: readonly string[]; readonly limit: number },
): Promise<readonly RunRow[]> {
  return sql.rows(runRow, LIST, request.projectId, request.createdBy, request.limit);
}
