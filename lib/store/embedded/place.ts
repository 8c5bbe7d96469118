import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { canReach } from './reach';
import type { SystemUser } from './system-user';

/** Where root keeps clusters and binaries that the server's user cannot reach otherwise. */
const SHARED_HOME = '/var/lib/pilothouse';

/**
 * Makes the data directory and returns its true path, so that two spellings of one
 * directory mean one database. Run as root it lets others pass through (not look
 * in), because the server's user has to get to the cluster.
 */
export async function prepareDataDirectory(directory: string): Promise<string> {
  const present = await stat(directory).then(
    () => true,
    () => false,
  );
  if (!present) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
  }
  return realpath(directory);
}

/**
 * Where a new cluster of this data directory belongs: inside it when the server's
 * user can get there, so that the whole state lies in one volume; else (a data
 * directory under a 0700 parent, as root) in a directory of its own.
 */
export async function placeForCluster(dataDirectory: string, user: SystemUser): Promise<string> {
  if (await canReach(dataDirectory, user)) return path.join(dataDirectory, 'postgresql');
  await prepareSharedHome();
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16);
  // The random part keeps a data directory that was deleted and made again from meeting its former cluster.
  return path.join(SHARED_HOME, `${hash}-${randomBytes(4).toString('hex')}`);
}

/** Where copies of the binaries belong when they cannot be used in place. */
export async function placeForBinaries(dataDirectory: string, user: SystemUser): Promise<string> {
  if (user === null) return dataDirectory;
  await prepareSharedHome();
  return SHARED_HOME;
}

async function prepareSharedHome(): Promise<void> {
  await mkdir(SHARED_HOME, { recursive: true });
  await chmod(SHARED_HOME, 0o755);
}
