/**
 * The patience of one attempt. It ends early for exactly one of three reasons,
 * the first that happens:
 *
 *   the caller's signal fires           | aborted
 *   nothing was heard for the idle time | timeout (before and between bytes alike)
 *   the wait after the end is over      | late: settle with what is there
 */
import { failureOf } from './classify-failure';
import type { ReadingEnd } from './read-completion';

/** How long late usage is waited for after a finish_reason (domain.md §10). */
export const LATE_USAGE_MS = 5_000;

export interface AttemptWatch {
  /** Fires when patience ends; for the transport. */
  readonly signal: AbortSignal;
  /** Resolves when patience ends; never rejects. */
  readonly over: Promise<void>;
  /** Why it ended, or undefined while it lasts. */
  end(): ReadingEnd | undefined;
  /** Something came. */
  heard(): void;
  /** The answer is complete; only usage is waited for. */
  finished(): void;
  /** The attempt is settled: no timer and no listener may outlive it. */
  stop(): void;
}

export function watchAttempt(signal: AbortSignal, idleMs: number, lateUsageMs: number): AttemptWatch {
  const transport = new AbortController();
  let end: ReadingEnd | undefined;
  let announce = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    announce = resolve;
  });
  let late: NodeJS.Timeout | undefined;

  const finish = (reason: ReadingEnd): void => {
    if (end !== undefined) return;
    end = reason;
    announce();
    transport.abort();
  };
  const onAbort = (): void => {
    finish({ kind: 'failed', failure: failureOf('aborted', 'The request was aborted.') });
  };
  const idle = setTimeout(() => {
    const failure = failureOf('timeout', `Nothing came from the provider for ${idleMs / 1_000} seconds.`, { code: 'idle_timeout' });
    finish({ kind: 'failed', failure });
  }, idleMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  return {
    signal: transport.signal,
    over,
    end: () => end,
    heard: () => void idle.refresh(),
    finished() {
      late ??= setTimeout(() => {
        finish({ kind: 'late' });
      }, lateUsageMs);
    },
    stop() {
      clearTimeout(idle);
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      // Frees the connection when the body was not read to its end.
      transport.abort();
    },
  };
}
