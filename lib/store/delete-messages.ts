import { z } from 'zod';
import type { ProjectId, SessionId } from '@/lib/domain/id';
import { integer } from './columns';
import type { Sql } from './sql';

/** One statement, so that a session is never marked with messages left, nor emptied without the mark. */
const DELETE = `
WITH unkept AS (
  UPDATE session s SET history_deleted_at = coalesce(s.history_deleted_at, statement_timestamp())
   WHERE s.project_id = $1 AND s.id = $2 AND NOT s.save_history
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.session_id = s.id AND r.status IN ('queued', 'running', 'waiting', 'cancelling'))
  RETURNING s.id
),
gone AS (
  DELETE FROM message m USING task t, unkept u WHERE t.session_id = u.id AND m.task_id = t.id RETURNING 1
)
SELECT count(*) AS count FROM gone`;

/** @returns how many there were; none where the session is kept or still at work. */
export async function deleteMessages(
  sql: Sql,
  session: { readonly projectId: ProjectId; readonly sessionId: SessionId },
): Promise<number> {
  const [row] = await sql.rows(z.object({ count: integer }), DELETE, session.projectId, session.sessionId);
  return row?.count ?? 0;
}
