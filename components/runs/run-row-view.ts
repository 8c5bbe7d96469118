/** A run as lists show it, and what a change of it changes. */
import type { RunSummary } from '@/lib/live/frame';
import type { RunView } from '@/lib/queries/run-view';

export type RunRowView = Pick<
  RunView,
  'id' | 'status' | 'task' | 'model' | 'created_at' | 'created_by' | 'last_seq' | 'usage' | 'writes_applied' | 'verification' | 'generation'
> & { readonly started_at?: string | undefined; readonly ended_at?: string | undefined; readonly exit_code?: number | undefined };

export function rowOf(run: RunView): RunRowView {
  const { id, status, task, model, created_at, created_by, last_seq, usage, writes_applied, verification, generation, started_at, ended_at, exit_code } = run;
  return { id, status, task, model, created_at, created_by, last_seq, usage, writes_applied, verification, generation, started_at, ended_at, exit_code };
}

/** What the server rendered may be newer than what was heard before. */
export function changedBy(row: RunRowView, summary: RunSummary | undefined): RunRowView {
  if (summary === undefined || summary.last_seq <= row.last_seq) return row;
  return {
    ...row,
    status: summary.status,
    last_seq: summary.last_seq,
    started_at: summary.started_at ?? row.started_at,
    ended_at: summary.ended_at ?? row.ended_at,
    exit_code: summary.exit_code ?? row.exit_code,
  };
}
