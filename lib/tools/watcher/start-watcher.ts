import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Socket } from 'node:net';
import path from 'node:path';
import { findPackageRoot } from '@/lib/config/package-root';

const ACKNOWLEDGEMENT_MS = 5_000;

export type WatchAnswer = 'watching' | 'refused' | 'unreachable';

export interface Watched {
  readonly id: string;
  /** Pid of the leader, which is its process group and session. */
  readonly group: number;
  readonly marker: string | null;
}

/** The worker's end of the watcher. One per worker process; nothing here throws or rejects. */
export interface Watcher {
  /** Starts the watcher process if none is running. Settles within 5 s. */
  watch(command: Watched): Promise<WatchAnswer>;
  unwatch(id: string): void;
  /** The lease lasts `ms` from now. */
  beat(ms: number): void;
  /** Whether the lease is over, by this process's own clock. */
  isExpired(): boolean;
  /** Whether the watcher said that it kills this command. It says so before it does. */
  wasKilled(id: string): boolean;
  /** Ends the watcher process, which first kills what is still watched. */
  close(): Promise<void>;
}

export interface WatcherOptions {
  /** The watcher's program; by default the one in Pilothouse's package. */
  readonly program?: string;
  /** Length of the lease until the first beat, from the start of the first command; null: only the worker's death counts. */
  readonly leaseMs: number | null;
}

interface Connection {
  tell(line: string): void;
  readonly ended: Promise<void>;
  /** End of input: the watcher kills what it watches, then ends. */
  hangUp(): void;
}

export function createWatcher(options: WatcherOptions): Watcher {
  const program = options.program ?? path.join(findPackageRoot(import.meta.url), 'lib/tools/watcher/watcher.mjs');
  const watched = new Map<string, Watched>();
  const killed = new Set<string>();
  const waiting = new Map<string, (answer: WatchAnswer) => void>();
  let connection: Connection | null = null;
  let deadline: number | null = null;
  let closed = false;

  const hear = (line: string): void => {
    const [verb, id = ''] = line.split(' ');
    if (verb === 'killed' && watched.has(id)) killed.add(id);
    const answer = waiting.get(id);
    waiting.delete(id);
    if (verb === 'watching' || verb === 'refused') answer?.(verb);
  };
  const connect = (): Connection => {
    if (connection !== null) return connection;
    if (deadline === null && options.leaseMs !== null) deadline = monotonicMs() + options.leaseMs;
    const started = startProcess(program, hear);
    connection = started;
    if (deadline !== null) started.tell(`deadline ${deadline}`);
    void started.ended.then(() => {
      if (connection === started) connection = null;
      for (const answer of waiting.values()) answer('unreachable');
      waiting.clear();
      // Somebody ended it. Commands that are running must not go unwatched.
      if (!closed && watched.size > 0) {
        const again = connect();
        for (const command of watched.values()) again.tell(watchLine(command));
      }
    });
    return started;
  };

  return {
    watch(command) {
      if (closed) return Promise.resolve('unreachable');
      return new Promise((resolve) => {
        const settle = (answer: WatchAnswer): void => {
          clearTimeout(timer);
          waiting.delete(command.id);
          if (answer === 'watching') watched.set(command.id, command);
          resolve(answer);
        };
        const timer = setTimeout(() => settle('unreachable'), ACKNOWLEDGEMENT_MS);
        waiting.set(command.id, settle);
        connect().tell(watchLine(command));
      });
    },
    unwatch(id) {
      watched.delete(id);
      killed.delete(id);
      connection?.tell(`unwatch ${id}`);
    },
    beat(ms) {
      deadline = monotonicMs() + ms;
      connection?.tell(`deadline ${deadline}`);
    },
    wasKilled: (id) => killed.has(id),
    isExpired: () => deadline !== null && monotonicMs() >= deadline,
    async close() {
      closed = true;
      const open = connection;
      if (open === null) return;
      open.hangUp();
      await open.ended;
    },
  };
}

function watchLine(command: Watched): string {
  return `watch ${command.id} ${command.group} ${command.marker ?? '-'}`;
}

/** The clock that the watcher also reads: monotonic, the same for all processes of the machine. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function startProcess(program: string, hear: (line: string) => void): Connection {
  const child = spawn(process.execPath, [program], {
    // A session of its own: a signal to the worker's group or terminal passes it by.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: NO_ENVIRONMENT,
    cwd: '/',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  child.stdin.on('error', () => undefined);
  child.stdout.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', hear);
  // It must not keep the worker alive: the worker's end is what it waits for.
  child.unref();
  // Pipes to a child are sockets in Node, though its types do not say so.
  for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
  return {
    tell(line) {
      if (child.stdin.writable) child.stdin.write(`${line}\n`);
    },
    ended,
    hangUp: () => child.stdin.end(),
  };
}

// Next's types demand NODE_ENV of every environment; this one is empty on purpose.
const NO_ENVIRONMENT = {} as NodeJS.ProcessEnv;
