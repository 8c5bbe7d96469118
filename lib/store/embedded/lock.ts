import { createHash } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

const PATIENCE_MS = 120_000;
const POLL_MS = 40;

/**
 * Runs `work` while no other process runs work under the lock of the same data
 * directory: only one at a time decides whether the server starts or stops.
 *
 * On Linux the lock is an abstract socket, because the kernel frees that the moment
 * its holder dies. A lock file has to be judged stale by its age after kill -9,
 * which costs every waiter ten seconds, and two waiters judging at once can both
 * win. Elsewhere there are no abstract sockets and the lock file has to do.
 */
export async function underDatabaseLock<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  const release = await acquire(dataDirectory);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Whether somebody starts or stops the server right now. */
export async function isDatabaseLocked(dataDirectory: string): Promise<boolean> {
  if (process.platform !== 'linux') return lockfile.check(dataDirectory, lockFileOptions(dataDirectory));
  return new Promise((resolve) => {
    const probe = net.connect({ path: socketName(dataDirectory) });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

type Release = () => Promise<void>;

async function acquire(dataDirectory: string): Promise<Release> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const release = process.platform === 'linux' ? await tryListen(socketName(dataDirectory)) : await tryLockFile(dataDirectory);
    if (release) return release;
    if (performance.now() > deadline) {
      throw new Error(`another process has been starting or stopping the database of ${dataDirectory} for two minutes`);
    }
    // Spread, so that ten starting at once do not poll in step.
    await sleep(POLL_MS * (0.5 + Math.random()));
  }
}

function socketName(dataDirectory: string): string {
  return `\0pilothouse-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32)}`;
}

function tryListen(name: string): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((probe) => probe.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen({ path: name, exclusive: true }, () => {
      resolve(() => new Promise((closed) => server.close(() => closed())));
    });
  });
}

function lockFileOptions(dataDirectory: string) {
  return { lockfilePath: path.join(dataDirectory, 'database.lock'), stale: 10_000, realpath: false };
}

async function tryLockFile(dataDirectory: string): Promise<Release | null> {
  try {
    return await lockfile.lock(dataDirectory, {
      ...lockFileOptions(dataDirectory),
      retries: 0,
      // The default throws from a timer and takes the process down; PostgreSQL's own pid file still guards the cluster.
      onCompromised: () => undefined,
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return null;
    throw error;
  }
}
