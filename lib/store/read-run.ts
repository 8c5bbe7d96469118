import { z } from 'zod';
import type { ProjectId, RunId, SessionId, TaskId, TurnId } from '@/lib/domain/id';
import { completionSchema, type Completion } from '@/lib/domain/run/completion';
import { runSettingsSchema, type RunSettings } from '@/lib/domain/run/settings';
import { RUN_STATUSES, WAITING_REASONS, type RunStatus, type WaitingReason } from '@/lib/domain/run/status';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';

export interface RunRef {
  readonly projectId: ProjectId;
  readonly runId: RunId;
}

export interface RunRow extends RunRef {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly turnNumber: number;
  readonly taskId: TaskId;
  readonly generation: number;
  readonly parentRunId: RunId | null;
  readonly rootRunId: RunId;
  readonly origin: 'submitted' | 'resumed' | 'continued';
  readonly taskText: string;
  readonly createdBy: string;
  readonly settings: RunSettings;
  readonly workspacePath: string;
  readonly status: RunStatus;
  readonly waitingReason: WaitingReason | null;
  /** `{status: payload}`. */
  readonly terminal: Completion['terminal'] | null;
  readonly exitCode: number | null;
  /** Payload of `session.completed`. */
  readonly completion: Completion | null;
  readonly dispatch: 'worker' | 'local';
  readonly holdsWorkspace: boolean;
  readonly leaseOwner: string | null;
  readonly leaseEpoch: number;
  readonly version: number;
  readonly lastSeq: number;
  readonly createdAt: Date;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export const RUN_COLUMNS = `r.project_id, r.id, r.session_id, r.turn_id, r.turn_number, r.task_id, r.generation, r.parent_run_id,
  r.root_run_id, r.origin, r.task_text, r.created_by, r.settings, r.workspace_path, r.status, r.waiting_reason, r.terminal,
  r.exit_code, r.completion, r.dispatch, r.holds_workspace, r.lease_owner, r.lease_epoch, r.version, r.last_seq,
  r.created_at, r.queued_at, r.started_at, r.ended_at`;

export const runRow = z
  .object({
    project_id: id<ProjectId>(),
    id: id<RunId>(),
    session_id: id<SessionId>(),
    turn_id: id<TurnId>(),
    turn_number: integer,
    task_id: id<TaskId>(),
    generation: integer,
    parent_run_id: id<RunId>().nullable(),
    root_run_id: id<RunId>(),
    origin: z.enum(['submitted', 'resumed', 'continued']),
    task_text: z.string(),
    created_by: z.string(),
    settings: runSettingsSchema,
    workspace_path: z.string(),
    status: z.enum(RUN_STATUSES),
    waiting_reason: z.enum(WAITING_REASONS).nullable(),
    terminal: completionSchema.shape.terminal.nullable(),
    exit_code: integer.nullable(),
    completion: completionSchema.nullable(),
    dispatch: z.enum(['worker', 'local']),
    holds_workspace: z.boolean(),
    lease_owner: z.string().nullable(),
    lease_epoch: integer,
    version: integer,
    last_seq: integer,
    created_at: instant,
    queued_at: instant,
    started_at: instant.nullable(),
    ended_at: instant.nullable(),
  })
  .transform(
    (row): RunRow => ({
      projectId: row.project_id,
      runId: row.id,
      sessionId: row.session_id,
      turnId: row.turn_id,
      turnNumber: row.turn_number,
      taskId: row.task_id,
      generation: row.generation,
      parentRunId: row.parent_run_id,
      rootRunId: row.root_run_id,
      origin: row.origin,
      taskText: row.task_text,
      createdBy: row.created_by,
      settings: row.settings,
      workspacePath: row.workspace_path,
      status: row.status,
      waitingReason: row.waiting_reason,
      terminal: row.terminal,
      exitCode: row.exit_code,
      completion: row.completion,
      dispatch: row.dispatch,
      holdsWorkspace: row.holds_workspace,
      leaseOwner: row.lease_owner,
      leaseEpoch: row.lease_epoch,
      version: row.version,
      lastSeq: row.last_seq,
      createdAt: row.created_at,
      queuedAt: row.queued_at,
      startedAt: row.started_at,
      endedAt: row.ended_at,
    }),
  );

const READ = `SELECT ${RUN_COLUMNS} FROM run r WHERE r.project_id = $1 AND r.id = $2`;
const LOCK = `${READ} FOR NO KEY UPDATE`;

export async function readRun(sql: Sql, { projectId, runId }: RunRef): Promise<RunRow | null> {
  return (await sql.rows(runRow, READ, projectId, runId))[0] ?? null;
}

/** For a command's transaction: until it ends nobody else moves the run. */
export async function lockRun(sql: Sql, { projectId, runId }: RunRef): Promise<RunRow | null> {
  return (await sql.rows(runRow, LOCK, projectId, runId))[0] ?? null;
}
