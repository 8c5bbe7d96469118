/** How a stream is asked for: cursors in the address, and by the headers of an EventSource. The same for server and browser. */
import { isId, type RunId } from '@/lib/domain/id';

export interface RunCursor {
  readonly runId: RunId;
  /** The last seq seen. */
  readonly after: number;
}

/** A browser that watches more than so many runs at once is none of ours. */
export const MOST_RUNS = 64;

/** `run_a:12,run_b:0`. */
export const formatCursors = (cursors: readonly RunCursor[]): string => cursors.map(({ runId, after }) => `${runId}:${after}`).join(',');

/** @returns null for what `formatCursors` does not write, for too many runs, and for one that is there twice. */
export function parseCursors(text: string): readonly RunCursor[] | null {
  if (text === '') return [];
  const cursors: RunCursor[] = [];
  for (const part of text.split(',', MOST_RUNS + 1)) {
    const [runId, seq = '', ...rest] = part.split(':');
    const after = cursorOf(seq);
    if (!isId('run', runId) || after === null || rest.length > 0) return null;
    cursors.push({ runId, after });
  }
  const runs = new Set(cursors.map(({ runId }) => runId));
  return cursors.length > MOST_RUNS || runs.size < cursors.length ? null : cursors;
}

export const wantsStream = (headers: Headers): boolean => headers.get('accept')?.includes('text/event-stream') === true;

/**
 * Where a stream goes on: an EventSource that reconnects sends the id it saw last with
 * the address it began with, so the header wins.
 * @returns null where the header is no seq.
 */
export function resumeAfter(headers: Headers, after: number): number | null {
  const last = headers.get('last-event-id');
  return last === null || last === '' ? after : cursorOf(last);
}

/**
 * The same for a run with those below it, whose ids are cursors; a single seq is the run's own.
 * @returns null for what is neither.
 */
export function resumeTreeAfter(headers: Headers, runId: RunId, after: string): ReadonlyMap<RunId, number> | null {
  const last = headers.get('last-event-id');
  const text = last === null || last === '' ? after : last;
  const seq = cursorOf(text);
  if (seq !== null) return new Map([[runId, seq]]);
  const cursors = parseCursors(text);
  return cursors === null ? null : new Map(cursors.map((cursor) => [cursor.runId, cursor.after]));
}

/** Below 2^53, as every seq. */
const cursorOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
