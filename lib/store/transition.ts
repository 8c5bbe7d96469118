import type { CallId, ProjectId, RunId } from '@/lib/domain/id';
import type { RunEventBody } from '@/lib/domain/run/event';
import type { RunState } from '@/lib/domain/run/state';
import type { Store } from './database';

/** The original arguments of a proposed call, for its executor only. */
export interface SealedCall {
  readonly bytes: Uint8Array;
  readonly inputHash: string;
}

/** What happened to a run, as `decide` said, and on which state it was decided. */
export interface Transition {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** The lease that is held: another one fences this write (I6). */
  readonly leaseEpoch: number;
  /** The run's version that `before` was read at; a commit raises it by one. */
  readonly version: number;
  /** Fresh for each transition: tells afterwards whether it was this one that committed. */
  readonly nonce: string;
  readonly before: RunState;
  readonly after: RunState;
  readonly events: readonly RunEventBody[];
  /** For calls that `events` propose. */
  readonly sealed?: ReadonlyMap<CallId, SealedCall>;
}

export type TransitionResult =
  /** `at` is the timestamp of the events; the version is one higher, the seq is `after.seq`. */
  | { readonly kind: 'committed'; readonly at: Date }
  /** Fenced or overtaken: nothing changed. Reload and decide again, or stop silently. */
  | { readonly kind: 'overtaken' }
  /** The database refused a value of this run; nothing changed. `code` is the SQLSTATE. */
  | { readonly kind: 'refused'; readonly code: string };

export function transition(_store: Store, _list: readonly Transition[]): Promise<readonly TransitionResult[]> {
  throw new Error('not built yet');
}
