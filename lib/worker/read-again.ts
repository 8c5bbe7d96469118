import type { Clock } from '@/lib/agent/ports';
import { StoreError } from '@/lib/store/store-error';

/** As long as the write path looks for a lost acknowledgement. */
const PATIENCE_MS = 30_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * A reading is asked again while the database is away: it changes nothing, and a run
 * whose lease is still held goes on after a restart (fault matrix, B3).
 * @param lost fires when the lease is lost: then nothing is worth waiting for.
 */
export async function readAgain<T>(clock: Clock, lost: AbortSignal, read: () => Promise<T>): Promise<T> {
  const end = clock.monotonic() + PATIENCE_MS;
  for (let pauseMs = 25; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await read();
    } catch (error) {
      if (!isPassing(error) || lost.aborted || clock.monotonic() >= end) throw error;
      await clock.sleep(pauseMs, lost);
    }
  }
}

/** The database gave no answer, or none in time; asked again it may. */
export const isPassing = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'unavailable' || error.code === 'timeout');
