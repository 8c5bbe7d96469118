import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import type { Binaries } from './binaries';
import type { SystemUser } from './system-user';

const run = promisify(execFile);

/** The database superuser that Pilothouse signs in as. */
export const DATABASE_USER = 'pilothouse';

/** Settings and secrets of this process are none of the server's business; it outlives us and is seen in /proc. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', NODE_ENV: process.env.NODE_ENV };
}

export interface NewCluster {
  readonly cluster: string;
  readonly password: string;
  readonly user: SystemUser;
  readonly binaries: Binaries;
  /** False only for test servers: initdb then does not wait for the disk. */
  readonly durable: boolean;
}

/**
 * Makes an empty cluster at `cluster`, complete or not at all: it grows beside and is
 * renamed. What an earlier attempt left, at the place or beside it, is removed first,
 * so this is for the holder of the database lock only, and only where no cluster was
 * ever complete.
 */
export async function initialiseCluster({ cluster, password, user, binaries, durable }: NewCluster): Promise<void> {
  await removeAttempts(cluster);
  const partial = `${cluster}.partial-${randomUUID()}`;
  const passwordFile = `${partial}.password`;
  try {
    await mkdir(partial);
    await chmod(partial, 0o700);
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (user) {
      await chown(partial, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    await run(
      path.join(binaries.directory, 'bin', 'initdb'),
      [
        `--pgdata=${partial}`,
        `--username=${DATABASE_USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...(user ?? {}), cwd: '/', env: serverEnvironment() },
    );
    await rename(partial, cluster);
  } catch (error) {
    throw new DatabaseUnavailableError(`The embedded database could not be set up in ${cluster}: ${reasonOf(error)}`);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(partial, PATIENTLY);
  }
}

/**
 * Whom the server of an existing cluster has to run as: its owner, whoever that is,
 * so that root can go on with a database that another user began.
 */
export async function ownerOf(cluster: string): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(cluster);
  return { uid, gid };
}

/** An initdb that outlived its caller still writes for a moment, so what it holds may not go at once. */
const PATIENTLY = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

async function removeAttempts(cluster: string): Promise<void> {
  const parent = path.dirname(cluster);
  const names = (await readdir(parent)).filter((name) => name.startsWith(`${path.basename(cluster)}.partial-`));
  // No attempt meets another one's name, so one that stays costs space only.
  await Promise.all(names.map((name) => rm(path.join(parent, name), PATIENTLY).catch(() => undefined)));
  await rm(cluster, PATIENTLY);
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' && error.stderr.trim() !== '') {
    return error.stderr.trim().split('\n').slice(-3).join(' ');
  }
  return error instanceof Error ? error.message : String(error);
}
