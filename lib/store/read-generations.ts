import { z } from 'zod';
import type { ProjectId, RunId, TaskId, TurnId } from '@/lib/domain/id';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { id, integer } from './columns';
import type { Sql } from './sql';

export interface Generation {
  readonly runId: RunId;
  readonly generation: number;
  readonly status: RunStatus;
}

/** By the unique index on (turn, task, generation). */
const READ = `
SELECT id, generation, status FROM run
 WHERE project_id = $1 AND turn_id = $2 AND task_id = $3 ORDER BY generation DESC LIMIT 50`;

const row = z
  .object({ id: id<RunId>(), generation: integer, status: z.enum(RUN_STATUSES) })
  .transform((found): Generation => ({ runId: found.id, generation: found.generation, status: found.status }));

/** The runs of one task in one turn, in order; of very many the latest. */
export async function readGenerations(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly turnId: TurnId; readonly taskId: TaskId },
): Promise<readonly Generation[]> {
  return (await sql.rows(row, READ, request.projectId, request.turnId, request.taskId)).reverse();
}
