/** What a stream says, as tabs pass it to each other. */
import type { RunId } from '@/lib/domain/id';
import { ephemeralSchema, type EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { EVENT_TYPES, type RunEvent } from '@/lib/domain/run/event';
import type { RunSummary, StreamSignal, StreamSignals } from '../frame';

export type FeedMessage =
  | {
      readonly kind: 'event';
      readonly runId: RunId;
      readonly seq: number;
      /**
       * The seq before it in this stream: who has less than that lacks something, and waits
       * for the stream that brings it. (A log may have gaps: seqs alone do not tell.)
       */
      readonly follows: number;
      /** null: of a type that this page does not know. */
      readonly event: RunEvent | null;
    }
  | { readonly kind: 'piece'; readonly runId: RunId; readonly piece: EphemeralEvent }
  /** Nothing more will come of it for one who has `seq`. */
  | { readonly kind: 'ended'; readonly runId: RunId; readonly seq: number }
  | { readonly kind: 'runs'; readonly runs: readonly RunSummary[] }
  | { readonly kind: 'stale' };

interface Wire {
  readonly run_id: RunId;
  readonly seq?: number;
  readonly timestamp: string;
  readonly type: string;
  readonly payload: unknown;
}

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/**
 * An unnamed message of the stream; null for what is neither an event nor a known piece.
 * @param cursors of the stream: moved by its events.
 */
export function readMessage(data: string, cursors: Map<RunId, number>): FeedMessage | null {
  const { run_id: runId, seq, timestamp, type, payload } = JSON.parse(data) as Wire;
  if (seq === undefined) {
    const piece = ephemeralSchema.safeParse({ type, payload });
    return piece.success ? { kind: 'piece', runId, piece: piece.data } : null;
  }
  // Our own server wrote it, by the schema that the page was built with: not parsed again for each event.
  const follows = cursors.get(runId) ?? 0;
  cursors.set(runId, Math.max(follows, seq));
  return { kind: 'event', runId, seq, follows, event: KNOWN.has(type) ? ({ type, payload, seq, timestamp } as RunEvent) : null };
}

type Told = Extract<StreamSignal, 'run.ended' | 'run.unknown' | 'runs.changed' | 'runs.stale'>;
export const TOLD_SIGNALS = ['run.ended', 'run.unknown', 'runs.changed', 'runs.stale'] as const satisfies readonly Told[];

const READ: { readonly [S in Told]: (data: StreamSignals[S]) => FeedMessage } = {
  'run.ended': ({ run_id, seq }) => ({ kind: 'ended', runId: run_id as RunId, seq }),
  // For this reader it is not there: nothing will come.
  'run.unknown': ({ run_id }) => ({ kind: 'ended', runId: run_id as RunId, seq: 0 }),
  'runs.changed': ({ runs }) => ({ kind: 'runs', runs }),
  'runs.stale': () => ({ kind: 'stale' }),
};

export const readSignal = (signal: Told, data: string): FeedMessage => (READ[signal] as (data: unknown) => FeedMessage)(JSON.parse(data));
