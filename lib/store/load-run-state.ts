import { evolve } from '@/lib/domain/run/evolve';
import type { RunState } from '@/lib/domain/run/state';
import { readEvents } from './read-events';
import { readRun, type RunRef, type RunRow } from './read-run';
import type { Sql } from './sql';

export interface LoadedRun {
  readonly row: RunRow;
  /** Folded exactly up to `row.lastSeq`, so that `row.version` fences a decision on it. */
  readonly state: RunState;
}

const PAGE = 500;

/**
 * Folds a run's log in pages.
 *
 * The row is read first: all events up to its `last_seq` are there by then, since both
 * are written by one statement, and later ones are left for the next reading.
 * @param from an earlier state of the same run: only what came later is read.
 */
export async function loadRunState(sql: Sql, ref: RunRef, from?: RunState): Promise<LoadedRun | null> {
  const row = await readRun(sql, ref);
  return row === null ? null : { row, state: await foldTo(sql, row, from ?? null) };
}

/** The state at `row.lastSeq`. */
export async function foldTo(sql: Sql, row: RunRow, from: RunState | null = null): Promise<RunState> {
  let state = from;
  let after = from?.seq ?? 0;
  while (after < row.lastSeq) {
    const page = await readEvents(sql, { ...row, after, limit: PAGE });
    for (const event of page) {
      if (event.seq > row.lastSeq) break;
      state = evolve(state, row.runId, event);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.seq;
  }
  if (state?.seq !== row.lastSeq) throw new Error(`the log of ${row.runId} does not reach the state of its row`);
  return state;
}
