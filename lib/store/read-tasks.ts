import { z } from 'zod';
import type { ProjectId, RunId, TaskId } from '@/lib/domain/id';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';

export interface TaskRow {
  readonly taskId: TaskId;
  readonly parentTaskId: TaskId | null;
  readonly writeCount: number;
  /** Its latest run in the turn. */
  readonly runId: RunId;
  readonly generation: number;
  readonly status: RunStatus;
  readonly createdAt: Date;
}

/** The tasks that worked in the turn of a run, parents first, each with its latest run there. */
const READ = `
SELECT DISTINCT ON (t.created_at, t.id) t.id, t.parent_task_id, t.write_count, t.created_at, r.id AS run_id, r.generation, r.status
  FROM run asked
  JOIN run r ON r.turn_id = asked.turn_id
  JOIN task t ON t.id = r.task_id
 WHERE asked.project_id = $1 AND asked.id = $2
 ORDER BY t.created_at, t.id, r.generation DESC`;

const row = z
  .object({
    id: id<TaskId>(),
    parent_task_id: id<TaskId>().nullable(),
    write_count: integer,
    created_at: instant,
    run_id: id<RunId>(),
    generation: integer,
    status: z.enum(RUN_STATUSES),
  })
  .transform((found): TaskRow => ({
    taskId: found.id,
    parentTaskId: found.parent_task_id,
    writeCount: found.write_count,
    createdAt: found.created_at,
    runId: found.run_id,
    generation: found.generation,
    status: found.status,
  }));

export const readTasks = (sql: Sql, run: { readonly projectId: ProjectId; readonly runId: RunId }): Promise<readonly TaskRow[]> =>
  sql.rows(row, READ, run.projectId, run.runId);
