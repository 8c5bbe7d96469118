import { randomBytes, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DatabaseUnavailableError } from '../database-unavailable-error';

/**
 * What a data directory remembers of its database, in `database.json` (0600).
 *
 * `initialised` turns true when the cluster stands complete at its place. Without
 * it a cluster lost later (its directory was deleted, a volume is not mounted)
 * looks like one that was never made, and would silently be replaced by an empty one.
 */
const Record = z.object({
  cluster: z.string().min(1),
  initialised: z.boolean(),
  port: z.int().min(1).max(65_535),
  password: z.string().min(1),
});
export type DatabaseRecord = Readonly<z.infer<typeof Record>>;

export function recordFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'database.json');
}

/** The record, its `cluster` absolute; null when this data directory has had no database yet. */
export async function readRecord(dataDirectory: string): Promise<DatabaseRecord | null> {
  const text = await readFile(recordFile(dataDirectory), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new DatabaseUnavailableError(`${recordFile(dataDirectory)} cannot be read: ${String(error)}`);
  });
  if (text === null) return null;
  try {
    const record = Record.parse(JSON.parse(text));
    return { ...record, cluster: path.resolve(dataDirectory, record.cluster) };
  } catch {
    throw new DatabaseUnavailableError(
      `${recordFile(dataDirectory)} is damaged. Restore it; or, if the data may be lost, delete ${dataDirectory} and start again.`,
    );
  }
}

/**
 * Replaces the record whole and durably. A cluster inside the data directory is
 * kept relative, so that the directory can be moved.
 */
export async function writeRecord(dataDirectory: string, record: DatabaseRecord): Promise<void> {
  const inside = path.relative(dataDirectory, record.cluster);
  const cluster = inside.startsWith('..') ? record.cluster : inside;
  const partial = path.join(dataDirectory, `.database-${randomUUID()}.json`);
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ ...record, cluster }, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, recordFile(dataDirectory));
  } finally {
    await rm(partial, { force: true });
  }
}

export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
