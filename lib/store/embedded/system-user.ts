import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DatabaseUnavailableError } from '../database-unavailable-error';

const run = promisify(execFile);

/** Whom the server's processes run as; `null` means: as this process itself. */
export type SystemUser = { readonly uid: number; readonly gid: number } | null;

/**
 * PostgreSQL refuses to run as root, so root runs it as the system user
 * `postgres`, which is created where it is missing (containers mostly).
 */
export async function systemUser(): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return null;
  const known = await lookUp();
  if (known) return known;
  // Another Pilothouse may be doing the same: what counts is that the user exists afterwards.
  await run('groupadd', ['-f', '-r', 'postgres']).catch(() => undefined);
  const created = await run('useradd', ['-r', '-g', 'postgres', '-M', '-d', '/nonexistent', '-s', '/usr/sbin/nologin', 'postgres']).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message.trim() : String(error)),
  );
  const user = await lookUp();
  if (user) return user;
  throw new DatabaseUnavailableError(
    `The embedded database cannot run as root, and the system user "postgres" could not be created (${created ?? 'unknown reason'}). ` +
      'Create it, start Pilothouse as another user, or set DATABASE_URL.',
  );
}

async function lookUp(): Promise<SystemUser> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)));
    return uid === undefined || gid === undefined || uid === 0 ? null : { uid, gid };
  } catch {
    return null;
  }
}
