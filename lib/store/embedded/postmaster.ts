import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A pid that no system gives out and that still fits PostgreSQL's int. */
const NOBODY = 2_147_483_646;

/**
 * What a cluster's postmaster.pid says, judged against the processes there are:
 *
 * | state   | the file …                          | the server                        |
 * |---------|-------------------------------------|-----------------------------------|
 * | absent  | does not exist                      | is stopped                        |
 * | dead    | names a process that does not exist | was killed                        |
 * | foreign | names somebody else's process       | was killed, its pid is used again |
 * | ours    | names this cluster's postmaster     | runs, starts or stops             |
 */
export type Postmaster =
  | { readonly state: 'absent' | 'dead' | 'foreign' }
  | { readonly state: 'ours'; readonly pid: number; readonly port: number; readonly ready: boolean };

export async function findPostmaster(cluster: string): Promise<Postmaster> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => null);
  if (text === null) return { state: 'absent' };
  const lines = text.split('\n');
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  if (!Number.isInteger(pid) || pid === 0 || !exists(pid)) return { state: 'dead' };
  if (!(await isPostmasterOf(pid, cluster))) return { state: 'foreign' };
  return { state: 'ours', pid, port: Number.parseInt(lines[3] ?? '', 10), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Lets a start succeed although the pid in postmaster.pid is used by another process
 * now, which PostgreSQL would take for a running server. Only the pid is replaced:
 * the file also names the shared memory by which a start recognises backends that
 * outlived their postmaster, and without it they could write beside the new server.
 */
export async function disownForeignPid(cluster: string): Promise<void> {
  const lines = (await readFile(pidFile(cluster), 'utf8')).split('\n');
  lines[0] = String(NOBODY);
  await writeFile(pidFile(cluster), lines.join('\n'));
}

export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pidFile(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/** By its command line, which everybody may read; its working directory would need rights that containers lack. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const words = commandLine.split('\0');
    return path.basename(words[0] ?? '') === 'postgres' && words.includes(cluster);
  }
  const commandLine = await run('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return commandLine.includes('postgres') && commandLine.includes(cluster);
}
