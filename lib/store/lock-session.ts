import { z } from 'zod';
import type { ProjectId, SessionId, TaskId, TurnId } from '@/lib/domain/id';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';

export interface LockedSession {
  readonly sessionId: SessionId;
  readonly workspacePath: string;
  readonly saveHistory: boolean;
  readonly historyDeletedAt: Date | null;
  readonly rootTaskId: TaskId;
  readonly latestTurnId: TurnId;
  readonly latestTurnNumber: number;
}

/**
 * Whoever adds a run to a session holds its row: of racing resumes and messages one
 * goes first, and the others see what it did. Lock order: session, then run.
 */
const LOCK = `
SELECT s.id, s.workspace_path, s.save_history, s.history_deleted_at, t.id AS task_id, u.id AS turn_id, u.number
  FROM session s
  JOIN task t ON t.session_id = s.id AND t.parent_task_id IS NULL
  JOIN LATERAL (SELECT id, number FROM turn WHERE session_id = s.id ORDER BY number DESC LIMIT 1) u ON true
 WHERE s.project_id = $1 AND s.id = $2
   FOR NO KEY UPDATE OF s`;

const row = z.object({
  id: id<SessionId>(),
  workspace_path: z.string(),
  save_history: z.boolean(),
  history_deleted_at: instant.nullable(),
  task_id: id<TaskId>(),
  turn_id: id<TurnId>(),
  number: integer,
});

export async function lockSession(
  sql: Sql,
  session: { readonly projectId: ProjectId; readonly sessionId: SessionId },
): Promise<LockedSession | null> {
  // Twice: what is joined is read as of the statement's beginning, before the lock was waited for.
  await sql.rows(row, LOCK, session.projectId, session.sessionId);
  const [locked] = await sql.rows(row, LOCK, session.projectId, session.sessionId);
  if (locked === undefined) return null;
  return {
    sessionId: locked.id,
    workspacePath: locked.workspace_path,
    saveHistory: locked.save_history,
    historyDeletedAt: locked.history_deleted_at,
    rootTaskId: locked.task_id,
    latestTurnId: locked.turn_id,
    latestTurnNumber: locked.number,
  };
}
