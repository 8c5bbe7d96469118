import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process builds. Two builds at once would be correct
 * (each is renamed into place whole) but take twice as long, and the Prisma client
 * is written in place.
 *
 * @template T
 * @param {string} cache the directory of all builds
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function underBuildLock(cache, work) {
  const { default: lockfile } = await import('proper-lockfile');
  await mkdir(cache, { recursive: true });
  const release = await acquire(lockfile, cache);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(lockfile, cache) {
  for (;;) {
    try {
      return await lockfile.lock(cache, { lockfilePath: path.join(cache, 'build.lock'), onCompromised: () => undefined });
    } catch (error) {
      if (error.code !== 'ELOCKED') throw error;
      await sleep(100);
    }
  }
}
