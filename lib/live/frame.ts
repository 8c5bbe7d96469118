/**
 * What streams carry, the same for server and browser (contract.md §4): the objects of
 * a run's log and its ephemeral pieces, and on the stream of a browser a few signals
 * about the stream itself.
 *
 * Events have no `event:` field: an EventSource then hands every type to `onmessage`,
 * those too that a client does not know yet. Only signals are named.
 */
import type { RunId } from '@/lib/domain/id';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { RunEvent } from '@/lib/domain/run/event';
import type { RunStatus } from '@/lib/domain/run/status';

export type { EphemeralEvent } from '@/lib/domain/run/ephemeral';

export const WIRE_VERSION = '1';

/** An event on the wire. */
export type WireEvent = { readonly version: string; readonly run_id: string } & RunEvent;
/** Streamed, never stored: without `seq`. */
export type WireEphemeral = { readonly version: string; readonly run_id: string; readonly timestamp: string } & EphemeralEvent;

/** A run as lists show it, sent when it has changed. */
export interface RunSummary {
  readonly id: RunId;
  readonly status: RunStatus;
  readonly task: string;
  readonly parent_run_id: string | null;
  /** Of its last event. */
  readonly last_seq: number;
  readonly exit_code: number | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** Signals about a stream, by the name of their SSE event. */
export interface StreamSignals {
  /** Everything asked for is being watched: from here on nothing is missed. */
  'stream.open': { readonly runs: readonly string[] };
  /** Comments are invisible to an EventSource; a browser tells a dead connection by the lack of these. */
  'stream.heartbeat': Record<string, never>;
  /** The right to watch was withdrawn; the stream closes. */
  'stream.revoked': Record<string, never>;
  /** The log of this run is at its end, which was sent up to `seq`; it is not watched any longer. */
  'run.ended': { readonly run_id: string; readonly seq: number };
  /** There is no such run for this reader. */
  'run.unknown': { readonly run_id: string };
  'runs.changed': { readonly runs: readonly RunSummary[] };
  /** Changes may have been missed: read lists anew. */
  'runs.stale': Record<string, never>;
}
export type StreamSignal = keyof StreamSignals;

/** One SSE message. `data` is one line. */
export interface Frame {
  readonly id?: string;
  readonly event?: StreamSignal;
  readonly data: string;
}

export const HEARTBEAT_COMMENT = ': heartbeat\n\n';

export function encodeFrame({ id, event, data }: Frame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}

/** An event as it is stored, known to this version or not. */
export interface LoggedEvent {
  readonly seq: number;
  readonly timestamp: string;
  readonly type: string;
  readonly payload: unknown;
}

export function eventFrame(runId: string, { seq, timestamp, type, payload }: LoggedEvent): Frame {
  return { id: String(seq), data: JSON.stringify({ version: WIRE_VERSION, run_id: runId, seq, timestamp, type, payload }) };
}

/** Without an id, so that it moves no cursor. */
export function ephemeralFrame(runId: string, { type, payload }: EphemeralEvent, at: Date): Frame {
  return { data: JSON.stringify({ version: WIRE_VERSION, run_id: runId, timestamp: at.toISOString(), type, payload }) };
}

export function signalFrame<S extends StreamSignal>(event: S, data: StreamSignals[S]): Frame {
  return { event, data: JSON.stringify(data) };
}
