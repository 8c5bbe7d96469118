import type { RunState } from '@/lib/domain/run/state';
import type { RunRef, RunRow } from './read-run';
import type { Sql } from './sql';

export interface LoadedRun {
  readonly row: RunRow;
  /** Folded exactly up to `row.lastSeq`, so that row.version fences a decision on it. */
  readonly state: RunState;
}

/**
 * Folds a run's log in pages.
 * @param from an earlier state of the same run: only what came later is read.
 */
export function loadRunState(_sql: Sql, _ref: RunRef, _from?: RunState): Promise<LoadedRun | null> {
  throw new Error('not built yet');
}
