/**
 * Live runs in the browser, without a framework: one connection for any number of tabs,
 * resumed exactly by a cursor per run.
 */
import type { RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import type { EphemeralEvent, RunSummary } from './frame';

/**
 * - `connecting`: for the first time. `reconnecting`: it was live; what is missed is made up for.
 * - `offline`: the browser says so; it goes on by itself.
 * - `signed_out`: the session is over; nothing is tried until the page is shown again or `retry()`.
 * - `ended`: the run's log is complete, and nothing more is awaited.
 */
export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'signed_out' | 'ended';

/** Called at most once an animation frame each. None may throw. */
export interface RunWatcher {
  /** Each event above `after` once, in the order of the log: fold with `evolve`. */
  readonly onEvents: (events: readonly RunEvent[]) => void;
  /** Pieces without repetition; a gap in `offset` says that something is missing. None after `run.cancelling` or the end. */
  readonly onEphemeral?: (pieces: readonly EphemeralEvent[]) => void;
  readonly onState?: (state: FeedState) => void;
}

export type ProjectChange =
  | { readonly kind: 'runs'; readonly runs: readonly RunSummary[] }
  /** Something may have been missed: read the list anew. */
  | { readonly kind: 'stale' };

export interface RunFeed {
  /** @param after the last seq that the page has already. @returns ends the subscription. */
  subscribeRun(runId: RunId, after: number, watcher: RunWatcher): () => void;
  /** Changes of any run of the signed-in person's project. */
  subscribeProject(onChange: (change: ProjectChange) => void, onState?: (state: FeedState) => void): () => void;
  /** Tries again at once, after a sign-in for example. */
  retry(): void;
  close(): void;
}

/** One a page is enough. Connects when somebody subscribes. */
export function createRunFeed(): RunFeed {
  throw new Error('not built yet');
}
