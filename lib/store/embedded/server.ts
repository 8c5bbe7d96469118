import { spawn } from 'node:child_process';
import { open, readFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import type { Binaries } from './binaries';
import { serverEnvironment } from './cluster';
import { exists, findPostmaster } from './postmaster';
import type { SystemUser } from './system-user';

const START_PATIENCE_MS = 120_000; // crash recovery replays the log first
const STOP_PATIENCE_MS = 30_000;
const LOG_LIMIT_BYTES = 20_000_000;

export interface ServerStart {
  readonly cluster: string;
  readonly port: number;
  readonly user: SystemUser;
  readonly binaries: Binaries;
  readonly durable: boolean;
}

export type StartOutcome =
  | { readonly started: true }
  /** `retry`: the reason goes away by another port or by waiting. */
  | { readonly started: false; readonly retry: 'other_port' | 'wait' | null; readonly log: string };

/**
 * Given on the command line, not in postgresql.conf: they then hold for clusters of
 * every age. What durability needs (fsync, synchronous_commit, full_page_writes) is
 * PostgreSQL's default and stays on.
 */
function settings(durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // A statement whose client was killed ends soon instead of keeping its locks.
    'client_connection_check_interval=2s',
    'idle_in_transaction_session_timeout=5min',
    'jit=off', // short statements: compiling them costs more than it saves
    // The log must not become a second copy of what people wrote.
    'log_min_error_statement=panic',
    'log_line_prefix=%m [%p] ',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
}

/**
 * Starts the server in a session of its own, so that Ctrl-C in the terminal of
 * whoever happened to start it does not reach it, and resolves when it accepts
 * connections or has given up.
 */
export async function startServer({ cluster, port, user, binaries, durable }: ServerStart): Promise<StartOutcome> {
  const logFile = path.join(cluster, 'server.log');
  const logStart = await trimmedLogSize(logFile);
  const log = await open(logFile, 'a', 0o600);
  const server = spawn(
    path.join(binaries.directory, 'bin', 'postgres'),
    ['-D', cluster, '-p', String(port), ...settings(durable).flatMap((setting) => ['-c', setting])],
    { ...(user ?? {}), cwd: '/', env: serverEnvironment(), detached: true, stdio: ['ignore', log.fd, log.fd] },
  );
  let ended: string | null = null;
  server.once('exit', (code, signal) => (ended = `exit ${code ?? signal ?? 'unknown'}`));
  server.once('error', (error) => (ended = error.message));
  server.unref();
  await log.close();

  const deadline = performance.now() + START_PATIENCE_MS;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (postmaster.state === 'ours' && postmaster.pid === server.pid && postmaster.ready) return { started: true };
    const end = endOf(ended);
    if (end !== null) {
      const written = (await readFile(logFile)).subarray(logStart).toString('utf8').trim();
      return { started: false, retry: retryFor(written), log: written === '' ? end : written };
    }
    if (performance.now() > deadline) throw new DatabaseUnavailableError(`The embedded database is not ready after two minutes; see ${logFile}`);
    await sleep(20);
  }
}

/** Ends sessions, writes everything out and stops. Resolves when the process is gone. */
export async function stopServer(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster.state !== 'ours') return;
  try {
    process.kill(postmaster.pid, 'SIGINT'); // PostgreSQL's "fast shutdown"
  } catch {
    return; // it was faster
  }
  await waitForEnd(postmaster.pid, cluster);
}

/** Resolves when the postmaster `pid` is gone, however long its shutdown checkpoint takes (within reason). */
export async function waitForEnd(pid: number, cluster: string): Promise<void> {
  const deadline = performance.now() + STOP_PATIENCE_MS;
  while (exists(pid) && (await findPostmaster(cluster)).state === 'ours') {
    if (performance.now() > deadline) throw new DatabaseUnavailableError(`The embedded database (process ${pid}) does not stop.`);
    await sleep(20);
  }
}

/** `ended` is set by event handlers, which the type checker cannot see. */
function endOf(ended: string | null): string | null {
  return ended;
}

function retryFor(log: string): 'other_port' | 'wait' | null {
  if (log.includes('could not bind') || log.includes('could not create any TCP/IP sockets')) return 'other_port';
  // Backends of a killed postmaster take a moment to notice; meanwhile they hold the shared memory or the pid file.
  if (log.includes('pre-existing shared memory block') || log.includes('lock file "postmaster.pid"')) return 'wait';
  return null;
}

async function trimmedLogSize(file: string): Promise<number> {
  const size = await stat(file).then(
    (status) => status.size,
    () => 0,
  );
  if (size <= LOG_LIMIT_BYTES) return size;
  await truncate(file);
  return 0;
}
