import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import { readTasks } from '@/lib/store/read-tasks';
import type { Sql } from '@/lib/store/sql';

export interface TaskView {
  readonly id: string;
  readonly parent_task_id: string | null;
  readonly run_id: string;
  readonly generation: number;
  readonly status: RunStatus;
  /** Successful edits, over the whole session. */
  readonly write_count: number;
  readonly created_at: string;
}

/** The tasks of the turn of a run, parents first; null where the project has no such run. */
export async function listTasks(sql: Sql, run: { readonly projectId: ProjectId; readonly runId: RunId }): Promise<readonly TaskView[] | null> {
  const rows = await readTasks(sql, run);
  if (rows.length === 0) return null;
  return rows.map((row) => ({
    id: row.taskId,
    parent_task_id: row.parentTaskId,
    run_id: row.runId,
    generation: row.generation,
    status: row.status,
    write_count: row.writeCount,
    created_at: row.createdAt.toISOString(),
  }));
}
