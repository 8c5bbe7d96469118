import { z } from 'zod';
import type { ProjectId, RunId, SessionId, TaskId, TurnId } from '@/lib/domain/id';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';

export interface SessionRef {
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
}

export interface SessionRow extends SessionRef {
  readonly rootTaskId: TaskId;
  readonly workspaceKind: 'directory' | 'git';
  readonly workspaceLocation: string;
  readonly workspacePath: string;
  readonly gitRef: string | null;
  readonly access: string;
  readonly model: string;
  readonly saveHistory: boolean;
  readonly historyDeletedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export interface SessionRunRow {
  readonly turnId: TurnId;
  readonly turnNumber: number;
  readonly openedBy: string;
  readonly turnCreatedAt: Date;
  readonly supersededAt: Date | null;
  readonly runId: RunId;
  readonly parentRunId: RunId | null;
  readonly taskId: TaskId;
  readonly generation: number;
  readonly status: RunStatus;
  readonly exitCode: number | null;
  readonly taskText: string;
  readonly lastSeq: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const READ = `
SELECT s.project_id, s.id, t.id AS task_id, w.kind, w.location, s.workspace_path, s.git_ref, s.access, s.model,
       s.save_history, s.history_deleted_at, s.created_by, s.created_at
  FROM session s
  JOIN workspace w ON w.project_id = s.project_id AND w.id = s.workspace_id
  JOIN task t ON t.session_id = s.id AND t.parent_task_id IS NULL
 WHERE s.project_id = $1 AND s.id = $2`;

/** In the order in which they began: turns, and in each its generations and children. */
const RUNS = `
SELECT u.id AS turn_id, u.number, u.opened_by, u.created_at AS turn_created_at, u.superseded_at,
       r.id, r.parent_run_id, r.task_id, r.generation, r.status, r.exit_code, r.task_text, r.last_seq, r.created_at, r.ended_at
  FROM turn u JOIN run r ON r.turn_id = u.id
 WHERE u.project_id = $1 AND u.session_id = $2
 ORDER BY u.number, r.created_at, r.id`;

const sessionRow = z
  .object({
    project_id: id<ProjectId>(),
    id: id<SessionId>(),
    task_id: id<TaskId>(),
    kind: z.enum(['directory', 'git']),
    location: z.string(),
    workspace_path: z.string(),
    git_ref: z.string().nullable(),
    access: z.string(),
    model: z.string(),
    save_history: z.boolean(),
    history_deleted_at: instant.nullable(),
    created_by: z.string(),
    created_at: instant,
  })
  .transform((row): SessionRow => ({
    projectId: row.project_id,
    sessionId: row.id,
    rootTaskId: row.task_id,
    workspaceKind: row.kind,
    workspaceLocation: row.location,
    workspacePath: row.workspace_path,
    gitRef: row.git_ref,
    access: row.access,
    model: row.model,
    saveHistory: row.save_history,
    historyDeletedAt: row.history_deleted_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }));

const runRow = z
  .object({
    turn_id: id<TurnId>(),
    number: integer,
    opened_by: z.string(),
    turn_created_at: instant,
    superseded_at: instant.nullable(),
    id: id<RunId>(),
    parent_run_id: id<RunId>().nullable(),
    task_id: id<TaskId>(),
    generation: integer,
    status: z.enum(RUN_STATUSES),
    exit_code: integer.nullable(),
    task_text: z.string(),
    last_seq: integer,
    created_at: instant,
    ended_at: instant.nullable(),
  })
  .transform((row): SessionRunRow => ({
    turnId: row.turn_id,
    turnNumber: row.number,
    openedBy: row.opened_by,
    turnCreatedAt: row.turn_created_at,
    supersededAt: row.superseded_at,
    runId: row.id,
    parentRunId: row.parent_run_id,
    taskId: row.task_id,
    generation: row.generation,
    status: row.status,
    exitCode: row.exit_code,
    taskText: row.task_text,
    lastSeq: row.last_seq,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }));

export async function readSession(sql: Sql, { projectId, sessionId }: SessionRef): Promise<SessionRow | null> {
  return (await sql.rows(sessionRow, READ, projectId, sessionId))[0] ?? null;
}

export const readSessionRuns = (sql: Sql, { projectId, sessionId }: SessionRef): Promise<readonly SessionRunRow[]> =>
  sql.rows(runRow, RUNS, projectId, sessionId);
