import { z } from 'zod';
import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunEventBody } from '@/lib/domain/run/event';
import type { RunState } from '@/lib/domain/run/state';
import { instant } from './columns';
import { projectRows } from './project-rows';
import type { Sql } from './sql';
import { storableJson } from './storable-json';

/** A run's birth: `queued`, with its first events. */
export interface NewRun {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  readonly parent: { readonly runId: RunId; readonly rootRunId: RunId } | null;
  readonly origin: 'submitted' | 'resumed' | 'continued';
  readonly taskText: string;
  readonly createdBy: string;
  readonly workspacePath: string;
  /** A continued generation keeps the directory that its predecessor held. */
  readonly holdsWorkspace: boolean;
  /** A local run is born leased, so that no other process ever takes it. */
  readonly lease: { readonly owner: string; readonly seconds: number } | null;
  readonly nonce: string;
  readonly state: RunState;
  readonly events: readonly RunEventBody[];
}

const INSERT = `
WITH born AS (
  INSERT INTO run (id, project_id, session_id, turn_id, turn_number, task_id, generation, parent_run_id, root_run_id, origin,
                   task_text, created_by, settings, workspace_path, status, dispatch, holds_workspace, last_seq, nonce,
                   lease_owner, lease_expires_at, created_at, queued_at)
  SELECT b.id, b.project, b.session, b.turn, b.turn_number, b.task, b.generation, b.parent, coalesce(b.root, b.id), b.origin,
         b.text, b.actor, b.settings, b.path, 'queued', CASE WHEN b.owner IS NULL THEN 'worker' ELSE 'local' END,
         b.holds, b.seq, b.nonce,
         b.owner, statement_timestamp() + make_interval(secs => b.seconds), statement_timestamp(), statement_timestamp()
    FROM json_to_record($1::json) AS b(
      id text, project text, session text, turn text, turn_number int, task text, generation int, parent text, root text, origin text,
      text text, actor text, settings jsonb, path text, holds boolean, seq bigint, nonce text, owner text, seconds float8)
  RETURNING id, project_id, task_id, turn_number, generation
),
events AS (
  INSERT INTO run_event (run_id, seq, project_id, type, payload)
  SELECT born.id, e.seq, born.project_id, e.type, e.payload
    FROM json_to_recordset($2::json) AS e(seq bigint, type text, payload jsonb), born
),
messages AS (
  INSERT INTO message (task_id, turn_number, generation, seq, project_id, run_id, role, content)
  SELECT born.task_id, born.turn_number, born.generation, e.seq, born.project_id, born.id, e.role, e.content
    FROM json_to_recordset($3::json) AS e(seq bigint, role text, content jsonb), born
)
SELECT statement_timestamp()::timestamptz(3) AS at FROM born`;

export async function insertRun(sql: Sql, run: NewRun): Promise<void> {
  const rows = projectRows({ runId: run.runId, before: null, after: run.state, events: run.events });
  await sql.rows(
    z.object({ at: instant }),
    INSERT,
    storableJson({
      id: run.runId,
      project: run.projectId,
      session: run.state.sessionId,
      turn: run.state.turnId,
      turn_number: run.state.turnNumber,
      task: run.state.taskId,
      generation: run.state.generation,
      parent: run.parent?.runId ?? null,
      root: run.parent?.rootRunId ?? null,
      origin: run.origin,
      text: run.taskText,
      actor: run.createdBy,
      settings: run.state.settings,
      path: run.workspacePath,
      holds: run.holdsWorkspace,
      seq: run.state.seq,
      nonce: run.nonce,
      owner: run.lease?.owner ?? null,
      seconds: run.lease?.seconds ?? null,
    }),
    storableJson(rows.events),
    storableJson(rows.messages),
  );
}
