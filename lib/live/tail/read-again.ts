import { setTimeout as sleep } from 'node:timers/promises';

/** What the store rejects with; by name, since a web server may hold a module twice. */
const isStoreError = (error: unknown): boolean => error instanceof Error && error.name === 'StoreError';

/**
 * Reads until the database answers: one that restarts costs a watcher time and nothing
 * else. Resolves with null when the signal fires first.
 * @throws what is no failure of the database.
 */
export async function readAgain<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T | null> {
  for (let delay = 50; !signal.aborted; delay = Math.min(2_000, delay * 2)) {
    try {
      return await read();
    } catch (error) {
      if (!isStoreError(error)) throw error;
      await sleep(delay, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return null;
}
