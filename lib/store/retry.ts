import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from './store-error';

const TRIES = 5;

/**
 * Runs `work` again after a serialization failure or a deadlock, and after nothing
 * else: these two alone say for certain that nothing has happened. `work` must be the
 * whole statement or transaction and have no effect outside it.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'conflict' || attempt === TRIES) throw error;
      await sleep(jittered(5 * 2 ** attempt));
    }
  }
}

/** Between half and the whole, so that those who collided do not collide again. */
export const jittered = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2);
