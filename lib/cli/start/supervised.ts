/**
 * One child process, kept running: started again when it dies by itself, soon the first
 * times and ever later, and never after it was told to stop. It lives in a session of
 * its own, so that a terminal's Ctrl-C reaches only the supervisor, and it ends when
 * the supervisor is gone (the channel between them closes).
 */
import { spawn, type ChildProcess } from 'node:child_process';

export interface ChildSpec {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Supervised {
  readonly name: string;
  /** Sends TERM, then KILL after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

export interface SupervisedEvents {
  readonly onExit: (name: string, how: string, againInMs: number) => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** A child that lived so long was well: its next death is a first one. */
const WELL_AFTER_MS = 60_000;

export function supervise(spec: ChildSpec, events: SupervisedEvents): Supervised {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let waitMs = FIRST_WAIT_MS;

  const start = (): void => {
    timer = null;
    const startedAt = performance.now();
    const started = spawn(process.execPath, spec.args, {
      cwd: spec.cwd,
      env: { ...spec.env } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    child = started;
    // A failed spawn has no exit event.
    started.once('error', (error) => died(error.message));
    started.once('exit', (code, signal) => died(signal ?? `exit code ${code ?? 'unknown'}`));
    let isDead = false;
    const died = (how: string): void => {
      if (isDead) return;
      isDead = true;
      if (child === started) child = null;
      if (stopping) return;
      waitMs = performance.now() - startedAt > WELL_AFTER_MS ? FIRST_WAIT_MS : Math.min(LONGEST_WAIT_MS, waitMs * 2);
      events.onExit(spec.name, how, waitMs);
      timer = setTimeout(start, waitMs);
    };
  };
  start();

  return {
    name: spec.name,
    async stop(graceMs) {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      const running = child;
      if (running === null) return;
      await new Promise<void>((resolve) => {
        const kill = setTimeout(() => running.kill('SIGKILL'), graceMs);
        running.once('exit', () => {
          clearTimeout(kill);
          resolve();
        });
        running.kill('SIGTERM');
      });
    },
  };
}
