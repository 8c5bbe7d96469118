import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { findShell } from './environment';

/** No core dumps, and no file larger than 8 GiB; bash counts in KiB, other shells in half of that. */
const FILE_BLOCKS = 8 * 1024 * 1024;

export const STATUS_DESCRIPTOR = 4;

/** A process that has not done anything yet. */
export interface GatedProcess {
  /** Also its process group and its session. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What arrives at `STATUS_DESCRIPTOR`. */
  readonly status: Readable;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Lets it become the program. */
  open(): void;
}

/**
 * Starts `program` behind a gate: a shell, in a process group and session of its
 * own, that waits for a line and only then becomes the program. So whoever has to
 * know of the group can be told before anything happens; and if this process dies
 * meanwhile, the gate reads the end of its input and nothing ever happens.
 * @param environment the whole environment.
 * @returns null when it could not be started.
 */
export async function startGated(
  program: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<GatedProcess | null> {
  const shell = findShell();
  const blocks = shell.isBash ? FILE_BLOCKS : FILE_BLOCKS * 2;
  const gate = `ulimit -c 0; ulimit -f ${blocks} 2>/dev/null; read -r _ <&3 || exit 125; exec 3<&-; exec "$@"`;
  const child = spawn(shell.path, ['-c', gate, 'gate', ...program], {
    cwd,
    env: environment as NodeJS.ProcessEnv, // without NODE_ENV, which Next's types demand of every environment
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  const { pid, stdout, stderr } = child;
  if (!started || pid === undefined || stdout === null || stderr === null) return null;
  const [door, status] = [child.stdio[3] as Writable, child.stdio[STATUS_DESCRIPTOR] as Readable];
  for (const stream of [stdout, stderr, door, status]) stream.on('error', () => undefined);
  return { pid, stdout, stderr, status, exited: exitOf(child), open: () => door.end('\n') };
}

function exitOf(child: ChildProcess): GatedProcess['exited'] {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
