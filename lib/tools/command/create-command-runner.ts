import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OutputStream, SandboxMode, ToolWorkspace } from '@/lib/agent/ports';
import { holdDirectory } from '@/lib/workspaces/hold-directory';
import { MAX_COMMAND_OUTPUT } from '../limits';
import { killCommandProcesses, MARKER_VARIABLE } from '../watcher/find-processes.mjs';
import { createWatcher } from '../watcher/start-watcher';
import type { WatcherOptions } from '../watcher/start-watcher';
import { bubblewrapArguments } from './bubblewrap';
import type { CommandFailureCode, CommandOutcome } from './command-outcome';
import { commandEnvironment, findProgram, findShell } from './environment';
import { followCommand } from './follow-command';
import { collectOutput } from './output-collector';
import { startGated, STATUS_DESCRIPTOR } from './start-gated';
import { guardCommonDirectory } from './stray-common-directory';

const CANCEL_GRACE_MS = 10_000;
/** Of the user, in the sandbox: enough for any build, and an end to a fork bomb. */
const MAX_PROCESSES = 8_192;

export interface CommandRequest {
  readonly command: string;
  readonly workspace: ToolWorkspace;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Unredacted, in order; must not throw. */
  readonly onOutput: (stream: OutputStream, text: string) => void;
  /** Without a sandbox the network cannot be kept away. */
  readonly network: boolean;
  /** Of stdout, of stderr, and of both together, each. */
  readonly maxOutputBytes?: number;
}

export interface CommandRunner {
  readonly sandbox: SandboxMode;
  /** One command, from start to outcome. Never rejects. Several may run at once. */
  run(request: CommandRequest): Promise<CommandOutcome>;
  /** The lease lasts `ms` from now; the watcher kills all commands when it ends without another beat. */
  beat(ms: number): void;
  /** Kills what runs, ends the watcher. Nothing starts afterwards. */
  close(): Promise<void>;
}

export interface CommandRunnerOptions {
  /** From `detectSandbox`. `none` runs without one: that somebody approved is the caller's to know. */
  readonly sandbox: SandboxMode;
  readonly watcher: WatcherOptions;
  /** Between TERM and KILL when a call is aborted. */
  readonly cancelGraceMs?: number;
  /** Canonical directories that commands find empty where they lie inside a workspace (only in the sandbox). */
  readonly hiddenDirectories?: readonly string[];
}

export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const { sandbox } = options;
  const isSandboxed = sandbox === 'bubblewrap';
  const watcher = createWatcher(options.watcher);
  const closing = new AbortController();
  // One listener a running command, and there is no bound on those here.
  setMaxListeners(0, closing.signal);
  const active = new Set<Promise<CommandOutcome>>();
  let privateHome: Promise<string> | null = null;

  async function start(request: CommandRequest): Promise<CommandOutcome> {
    const { workspace, signal } = request;
    const collector = collectOutput(request.maxOutputBytes ?? MAX_COMMAND_OUTPUT, request.onOutput);
    const refuse = (code: CommandFailureCode, message: string): CommandOutcome => ({ kind: 'failed', code, message, ...collector.read() });

    if (workspace.access === 'read_only' && !isSandboxed) {
      return refuse('read_only_unsandboxed', 'the workspace is read-only, and without a sandbox nothing keeps a command from writing');
    }
    if (watcher.isExpired()) return refuse('lease_expired', 'this worker has lost its lease; the command was not started');
    const root = await holdDirectory(workspace.root, workspace.root);
    if (!root.ok) return refuse('not_started', `the workspace cannot be opened: ${root.message}`);
    root.close();

    const id = randomUUID();
    const marker = isSandboxed ? null : id;
    if (!isSandboxed) privateHome ??= mkdtemp(path.join(tmpdir(), 'pilothouse-home-'));
    const environment = commandEnvironment((await privateHome) ?? '/tmp');
    const program = isSandboxed ? sandboxed(request, environment) : [findShell().path, '-c', request.command];
    if (program === null) return refuse('sandbox_failed', 'the sandbox could not be prepared; the command did not run');
    const child = await startGated(
      program,
      isSandboxed ? '/' : workspace.root,
      marker === null ? environment : { ...environment, [MARKER_VARIABLE]: marker },
    );
    if (child === null) return refuse('not_started', 'the command could not be started');

    const answer = await watcher.watch({ id, group: child.pid, marker });
    if (answer !== 'watching' || signal.aborted || closing.signal.aborted) {
      killCommandProcesses(child.pid, marker);
      await child.exited;
      watcher.unwatch(id);
      if (answer === 'refused') return refuse('lease_expired', 'this worker has lost its lease; the command was not started');
      if (answer === 'unreachable' && !closing.signal.aborted) {
        return refuse('not_started', 'the process that ends commands when this one dies could not be reached; the command was not started');
      }
      return refuse('aborted', 'stopped before the command was started');
    }
    const guarded = isSandboxed && workspace.access === 'read_write' ? guardCommonDirectory(workspace.root) : null;
    const outcome = await followCommand({
      process: child,
      isSandboxed,
      marker,
      collector,
      timeoutMs: request.timeoutMs,
      graceMs: options.cancelGraceMs ?? CANCEL_GRACE_MS,
      signal,
      killNow: closing.signal,
      wasKilledByWatcher: () => watcher.isExpired() || watcher.wasKilled(id),
    });
    guarded?.();
    // Something may still be alive after `unknown`: the watcher keeps it in mind.
    if (outcome.kind !== 'unknown') watcher.unwatch(id);
    return outcome;
  }

  function sandboxed(request: CommandRequest, environment: Readonly<Record<string, string>>): string[] | null {
    const bubblewrap = findProgram('bwrap');
    if (bubblewrap === null) return null;
    const shell = findShell().path;
    const limits = `ulimit -u ${MAX_PROCESSES} 2>/dev/null; exec "$0" -c "$1"`;
    try {
      const args = bubblewrapArguments({
        workspace: request.workspace,
        cwd: request.workspace.root,
        network: request.network,
        environment,
        hidden: options.hiddenDirectories ?? [],
        statusDescriptor: STATUS_DESCRIPTOR,
      });
      return [bubblewrap, ...args, shell, '-c', limits, shell, request.command];
    } catch {
      // What has to be closed in the repository could not be looked at: then it is not closed.
      return null;
    }
  }

  return {
    sandbox,
    async run(request) {
      if (request.signal.aborted || closing.signal.aborted) {
        return { kind: 'failed', code: 'aborted', message: 'stopped before the command was started', ...NO_OUTPUT };
      }
      const running = start(request).catch(
        (): CommandOutcome => ({ kind: 'unknown', reason: 'the command could not be followed to its end', ...NO_OUTPUT }),
      );
      active.add(running);
      const outcome = await running;
      active.delete(running);
      return outcome;
    },
    beat: (ms) => watcher.beat(ms),
    async close() {
      closing.abort();
      await Promise.all(active);
      await watcher.close();
      if (privateHome !== null) await rm(await privateHome, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

const NO_OUTPUT = { output: '', stdout: '', stderr: '', truncated: false } as const;
