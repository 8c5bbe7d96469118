import { z } from 'zod';
import type { ProjectId, RunId } from '@/lib/domain/id';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';

/** What a list shows of a run. */
export interface StoredSummary {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  readonly parentRunId: RunId | null;
  readonly status: RunStatus;
  readonly taskText: string;
  readonly lastSeq: number;
  readonly exitCode: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Of several projects in one statement: who asks sorts them out. Long tasks are cut. */
const READ = `
SELECT project_id, id, parent_run_id, status, left(task_text, 300) AS task_text, last_seq, exit_code, created_at, started_at, ended_at
  FROM run WHERE id = ANY($1::text[])`;

const row = z
  .object({
    project_id: id<ProjectId>(),
    id: id<RunId>(),
    parent_run_id: id<RunId>().nullable(),
    status: z.enum(RUN_STATUSES),
    task_text: z.string(),
    last_seq: integer,
    exit_code: integer.nullable(),
    created_at: instant,
    started_at: instant.nullable(),
    ended_at: instant.nullable(),
  })
  .transform(
    (found): StoredSummary => ({
      projectId: found.project_id,
      runId: found.id,
      parentRunId: found.parent_run_id,
      status: found.status,
      taskText: found.task_text,
      lastSeq: found.last_seq,
      exitCode: found.exit_code,
      createdAt: found.created_at,
      startedAt: found.started_at,
      endedAt: found.ended_at,
    }),
  );

export const readSummaries = (sql: Pick<Sql, 'rows'>, runIds: readonly string[]): Promise<readonly StoredSummary[]> =>
  sql.rows(row, READ, runIds);
