import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, killCommandProcesses, send } from '../watcher/find-processes.mjs';
import type { CommandOutcome } from './command-outcome';
import type { OutputCollector } from './output-collector';
import type { GatedProcess } from './start-gated';

/** How long output may still come after the command itself has ended. */
const DRAIN_MS = 200;
const TIMEOUT_GRACE_MS = 2_000;
/** KILL works at once, unless the kernel itself is stuck. */
const KILL_PATIENCE_MS = 1_000;
const POLL_MS = 5;

export interface Following {
  readonly process: GatedProcess;
  readonly isSandboxed: boolean;
  /** Marks what an unsandboxed command starts; null in the sandbox, where a namespace holds it together. */
  readonly marker: string | null;
  readonly collector: OutputCollector;
  readonly timeoutMs: number;
  /** Between TERM and KILL after `signal` fired. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  /** Fires when there is no time for a grace. */
  readonly killNow: AbortSignal;
  /** Whether the watcher killed it; asked after its end. */
  readonly wasKilledByWatcher: () => boolean;
}

type Stop = 'aborted' | 'timed_out';

/**
 * From the opening of the gate to the outcome. TERM to the group first, KILL after a
 * grace time; whatever the command leaves running is killed too, and the outcome is given
 * only when all of it is gone. Does not reject.
 */
export async function followCommand(following: Following): Promise<CommandOutcome> {
  const { process: child, collector } = following;
  const status = readSandboxStatus(child.status);
  const streamsEnded = Promise.all([
    pump(child.stdout, (chunk) => collector.push('stdout', chunk)),
    pump(child.stderr, (chunk) => collector.push('stderr', chunk)),
    status.ended,
  ]);
  child.open();
  const stop = createStop(following, status);
  const end = await Promise.race([child.exited, stop.gaveUp]);
  stop.disarm();
  const isGone = end !== 'gave_up' && (await clearAway(following, status, streamsEnded));
  for (const stream of [child.stdout, child.stderr, child.status]) stream.destroy();
  collector.end('stdout');
  collector.end('stderr');
  const output = collector.read();

  if (end === 'gave_up' || !isGone) {
    const what = end === 'gave_up' ? 'the command was killed, but its end could not be seen' : 'the command ended, but what it started could not be ended';
    return { kind: 'unknown', reason: what, ...output };
  }
  const stopped = stop.reason();
  if (stopped !== null) return { kind: 'failed', code: stopped, message: describeStop(stopped, stop.wasKilled(), following.timeoutMs), ...output };
  const exitCode = end.code ?? 128 + (end.signal === null ? 0 : constants.signals[end.signal]);
  if (exitCode === 137 && following.wasKilledByWatcher()) {
    return { kind: 'failed', code: 'lease_expired', message: 'the command was killed, because this worker had lost its lease', ...output };
  }
  if (following.isSandboxed && !status.hasExitCode()) {
    const message = end.signal === null ? 'the sandbox could not be set up; the command did not run' : `the sandbox was ended from outside (${end.signal})`;
    return { kind: 'failed', code: 'sandbox_failed', message, ...output };
  }
  return { kind: 'exited', exitCode, ...output };
}

/** Whether everything that belongs to the command is gone, a second after its leader's end at the latest. */
async function clearAway(following: Following, status: SandboxStatus, streamsEnded: Promise<unknown>): Promise<boolean> {
  // What a helper process still has to say (`> >(tee log)`) may come; then it is ended.
  await Promise.race([streamsEnded, sleep(DRAIN_MS)]);
  const gone = await until(() => {
    if (!following.isSandboxed) return killCommandProcesses(following.process.pid, following.marker) === 0;
    // The kernel ends the first process of the namespace only after all others.
    const first = status.firstPid();
    return first === null || hasEnded(first);
  });
  await Promise.race([streamsEnded, sleep(DRAIN_MS)]);
  return gone;
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < KILL_PATIENCE_MS; waited += POLL_MS) {
    if (condition()) return true;
    await sleep(POLL_MS);
  }
  return condition();
}

function createStop(following: Following, status: SandboxStatus) {
  const { process: child, signal, killNow } = following;
  let reason: Stop | null = null;
  let killed = false;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (value: 'gave_up') => void = () => undefined;
  const gaveUp = new Promise<'gave_up'>((resolve) => {
    giveUp = resolve;
  });
  const kill = (): void => {
    killed = true;
    killCommandProcesses(child.pid, following.marker);
    clearTimeout(timer);
    timer = setTimeout(() => giveUp('gave_up'), KILL_PATIENCE_MS);
  };
  const begin = (why: Stop, graceMs: number): void => {
    // Ended by itself, and only the news is on its way: that is its outcome, not ours.
    if (hasEnded(child.pid)) return;
    reason ??= why;
    const first = status.firstPid();
    if (graceMs === 0 || (following.isSandboxed && first === null)) {
      kill();
      return;
    }
    // bubblewrap itself would end at TERM, and with it the command without any grace:
    // the signal goes to the session inside. Its first process does not feel it.
    send(following.isSandboxed && first !== null ? -first : -child.pid, 'SIGTERM');
    clearTimeout(timer);
    timer = setTimeout(kill, graceMs);
  };
  const onAbort = (): void => {
    if (reason === null) begin('aborted', following.graceMs);
  };
  const onKillNow = (): void => begin('aborted', 0);
  signal.addEventListener('abort', onAbort, { once: true });
  killNow.addEventListener('abort', onKillNow, { once: true });
  timer = setTimeout(() => begin('timed_out', TIMEOUT_GRACE_MS), following.timeoutMs);
  if (signal.aborted) onAbort();
  if (killNow.aborted) onKillNow();
  return {
    gaveUp,
    reason: () => reason,
    wasKilled: () => killed,
    disarm() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      killNow.removeEventListener('abort', onKillNow);
    },
  };
}

function describeStop(stop: Stop, wasKilled: boolean, timeoutMs: number): string {
  const why = stop === 'timed_out' ? `its time of ${timeoutMs / 1_000} s was over` : 'the call was stopped';
  return `${why}; the command ${wasKilled ? 'was killed' : 'ended when asked to'} before it was done, and what it had done until then stays`;
}

function pump(stream: Readable, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', onChunk);
    stream.once('close', resolve);
  });
}

interface SandboxStatus {
  /** The first process inside, by its pid outside; null until it is there. */
  firstPid(): number | null;
  /** Whether the command ran: bubblewrap tells its exit code only then. */
  hasExitCode(): boolean;
  readonly ended: Promise<void>;
}

function readSandboxStatus(stream: Readable): SandboxStatus {
  let text = '';
  const ended = pump(stream, (chunk) => {
    if (text.length < 4_096) text += chunk.toString('latin1');
  });
  return {
    firstPid: () => {
      const match = /"child-pid": *(\d+)/.exec(text);
      return match === null ? null : Number(match[1]);
    },
    hasExitCode: () => text.includes('"exit-code"'),
    ended,
  };
}
