import type { ProjectId, SessionId } from '@/lib/domain/id';
import { RUN_COLUMNS, runRow, type RunRow } from './read-run';
import type { Sql } from './sql';

const LATEST = `
SELECT ${RUN_COLUMNS} FROM run r
 WHERE r.project_id = $1 AND r.session_id = $2 AND r.parent_run_id IS NULL
 ORDER BY r.turn_number DESC, r.generation DESC LIMIT 1`;

const LIVE = `
SELECT ${RUN_COLUMNS} FROM run r
 WHERE r.project_id = $1 AND r.session_id = $2 AND r.status IN ('queued', 'running', 'waiting', 'cancelling')
 ORDER BY r.created_at LIMIT 1`;

interface SessionRef {
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
}

/** The run whose status is that of the session's latest turn. */
export async function latestRootRun(sql: Sql, { projectId, sessionId }: SessionRef): Promise<RunRow | null> {
  return (await sql.rows(runRow, LATEST, projectId, sessionId))[0] ?? null;
}

/** A live run of the session, sub-agents' included. */
export async function findLiveRun(sql: Sql, { projectId, sessionId }: SessionRef): Promise<RunRow | null> {
  return (await sql.rows(runRow, LIVE, projectId, sessionId))[0] ?? null;
}
