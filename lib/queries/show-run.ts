import { readRun, type RunRef } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { turnTotals } from '@/lib/store/turn-totals';
import { runView, type RunView } from './run-view';

export type { RunView } from './run-view';

/** One run with its signals and totals; null where the project has none of that id. */
export async function showRun(sql: Sql, ref: RunRef): Promise<RunView | null> {
  const row = await readRun(sql, ref);
  if (row === null) return null;
  const totals =
    row.completion === null ? await turnTotals(sql, { projectId: row.projectId, turnId: row.turnId, exceptRunId: null }) : null;
  return runView(row, totals);
}
