/** A run as lists show it, and what a change of it changes. */
import type { RunSummary } from '@/lib/live/frame';
import type { RunView } from '@/lib/queries/run-view';

export type RunRowView = Pick<
  RunView,
  'id' | 'status' | 'task' | 'model' | 'created_at' | 'created_by' | 'usage' | 'writes_applied' | 'verification' | 'generation'
> & { readonly started_at?: string | undefined; readonly ended_at?: string | undefined; readonly exit_code?: number | undefined };

export function rowOf(run: RunView): RunRowView {
  const { id, status, task, model, created_at, created_by, usage, writes_applied, verification, generation, started_at, ended_at, exit_code } = run;
  return { id, status, task, model, created_at, created_by, usage, writes_applied, verification, generation, started_at, ended_at, exit_code };
}

export const changedBy = (row: RunRowView, summary: RunSummary): RunRowView => ({
  ...row,
  status: summary.status,
  started_at: summary.started_at ?? row.started_at,
  ended_at: summary.ended_at ?? row.ended_at,
  exit_code: summary.exit_code ?? row.exit_code,
});
