/**
 * The statement that gives queued runs to a process, with the claim's event in it (I2).
 *
 * Who may write where: a read-write run takes its directory (`holds_workspace`) with its
 * first claim and keeps it until it ends, waiting included. Others of its session share
 * it and take nothing; those of other sessions stay queued. What two claims at once
 * cannot see of each other, the partial unique index decides: one fails as a whole.
 */
import { z } from 'zod';
import type { ProjectId, RunId, SessionId, TaskId, TurnId } from '@/lib/domain/id';
import { id, integer } from './columns';

/** A run that is ours now, with its `run.started` in the log; its state is `loadRunState`'s. */
export interface ClaimedRun {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly taskId: TaskId;
  readonly generation: number;
  readonly leaseEpoch: number;
  readonly version: number;
  readonly workspacePath: string;
}

const COLUMNS = 'project_id, id, session_id, turn_id, task_id, generation, lease_epoch, version, workspace_path';

export const claimedRow = z
  .object({
    project_id: id<ProjectId>(),
    id: id<RunId>(),
    session_id: id<SessionId>(),
    turn_id: id<TurnId>(),
    task_id: id<TaskId>(),
    generation: integer,
    lease_epoch: integer,
    version: integer,
    workspace_path: z.string(),
  })
  .transform(
    (row): ClaimedRun => ({
      projectId: row.project_id,
      runId: row.id,
      sessionId: row.session_id,
      turnId: row.turn_id,
      taskId: row.task_id,
      generation: row.generation,
      leaseEpoch: row.lease_epoch,
      version: row.version,
      workspacePath: row.workspace_path,
    }),
  );

/**
 * `$1` owner, `$2` seconds of lease, `$3` nonce, `$4` at most so many; `which` is a
 * condition on the queued run `r`.
 *
 * SKIP LOCKED: claimers pass each other instead of queueing for the same row.
 */
export const claimStatement = (which: string): string => `
WITH queued AS MATERIALIZED (
  SELECT r.id, r.session_id, r.workspace_path, r.queued_at, r.settings ->> 'access' = 'read_write' AS writes
    FROM run r
   WHERE r.status = 'queued' AND ${which}
     AND (r.settings ->> 'access' <> 'read_write' OR NOT EXISTS (
       SELECT 1 FROM run h WHERE h.workspace_path = r.workspace_path AND h.holds_workspace AND h.session_id <> r.session_id))
   ORDER BY r.queued_at, r.id
   LIMIT $4
   FOR NO KEY UPDATE OF r SKIP LOCKED
),
chosen AS MATERIALIZED (
  SELECT q.id,
         q.writes
           AND NOT EXISTS (SELECT 1 FROM run h WHERE h.workspace_path = q.workspace_path AND h.holds_workspace)
           AND NOT EXISTS (SELECT 1 FROM queued e WHERE e.workspace_path = q.workspace_path AND e.writes
                              AND (e.queued_at, e.id) < (q.queued_at, q.id)) AS takes_workspace
    FROM queued q
   -- Of several sessions that want one directory, the one that has waited longest.
   WHERE NOT (q.writes AND EXISTS (
     SELECT 1 FROM queued e WHERE e.workspace_path = q.workspace_path AND e.writes AND e.session_id <> q.session_id
        AND (e.queued_at, e.id) < (q.queued_at, q.id)))
),
taken AS (
  UPDATE run r SET
    status = 'running',
    lease_owner = $1,
    lease_epoch = r.lease_epoch + 1,
    lease_expires_at = statement_timestamp() + make_interval(secs => $2),
    version = r.version + 1,
    last_seq = r.last_seq + 1,
    nonce = $3,
    started_at = coalesce(r.started_at, statement_timestamp()),
    holds_workspace = r.holds_workspace OR c.takes_workspace
   FROM chosen c
  WHERE r.id = c.id
  RETURNING r.*
),
events AS (
  INSERT INTO run_event (run_id, seq, project_id, type, payload)
  SELECT id, last_seq, project_id, 'run.started',
         jsonb_build_object('generation', generation, 'lease_epoch', lease_epoch, 'worker', lease_owner)
    FROM taken
)
SELECT ${COLUMNS} FROM taken ORDER BY queued_at, id`;

/** What a claim of that nonce has taken, should its acknowledgement be lost. `$1` owner, `$2` nonce. */
export const TAKEN = `
SELECT ${COLUMNS} FROM run WHERE lease_owner = $1 AND nonce = $2 AND status = 'running' ORDER BY queued_at, id`;
