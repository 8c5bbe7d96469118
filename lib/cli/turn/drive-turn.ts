/**
 * What `exec`, `exec resume` and `resume` share: drives the run that a command made,
 * shows it, lets a signal cancel it, and says by the stored completion how it ended.
 */
import { cancelRun } from '@/lib/commands/cancel-run';
import { CommandError } from '@/lib/commands/command-error';
import type { SubmittedRun } from '@/lib/commands/dispatch';
import { forgetHistory } from '@/lib/commands/forget-history';
import type { RunView } from '@/lib/queries/show-run';
import type { System } from '@/lib/system';
import { EXIT, SIGNAL_EXIT } from '../exit-code';
import type { Reporter } from '../output/reporter';
import { say, type Shell } from '../shell';
import type { SignalName } from '../signals';
import { followTurn } from './follow-turn';
import { TurnFeed } from './turn-feed';

/** @returns the exit code. */
export async function driveTurn(shell: Shell, system: System, submitted: SubmittedRun, reporter: Reporter): Promise<number> {
  const feed = new TurnFeed(submitted.runId, reporter);
  const run = submitted.created ? await drive(shell, system, feed) : await watch(shell, system, feed);
  if (run === null) return shell.signals.received === null ? EXIT.broken : SIGNAL_EXIT[shell.signals.received];
  reporter.ended(run, { resumable: feed.resumable });
  if (submitted.created && !feed.resumable) await forget(shell, system, submitted);
  return run.exit_code ?? EXIT.broken;
}

const WAITING = 'pilothouse: waiting: another run works in this directory, and one goes after the other';

async function drive(shell: Shell, system: System, feed: TurnFeed): Promise<RunView | null> {
  const { runId } = feed;
  let cancelling: Promise<void> = Promise.resolve();
  const stopAsking = shell.signals.onFirst((signal) => {
    cancelling = cancelBySignal(shell, system, feed, signal);
  });
  try {
    await system.driveLocal(runId, {
      onEvents: (events) => feed.take(runId, events),
      onEphemeral: (event) => feed.ephemeral(runId, event),
      onWorkspaceHeld: () => say(shell, WAITING),
    });
    await cancelling;
  } finally {
    stopAsking();
  }
  // What the drive did not show, after a lost lease say, is in the store.
  return followTurn(system, feed, new AbortController().signal);
}

/** The command was carried out before: its run ended, or another process drives it. A signal ends the watching only. */
async function watch(shell: Shell, system: System, feed: TurnFeed): Promise<RunView | null> {
  const watching = new AbortController();
  const stopAsking = shell.signals.onFirst(() => watching.abort());
  try {
    return await followTurn(system, feed, watching.signal);
  } finally {
    stopAsking();
  }
}

async function cancelBySignal(shell: Shell, system: System, { runId }: TurnFeed, signal: SignalName): Promise<void> {
  const { projectId, commands } = system;
  try {
    await cancelRun(system.commands, { projectId, commandId: commands.newId('cmd'), actor: `signal:${signal}`, runId });
  } catch (error) {
    // It has ended meanwhile, by itself: that end is the true one.
    if (error instanceof CommandError && error.code === 'run_ended') return;
    say(shell, `pilothouse: ${signal} came, but the run could not be cancelled; once more ends this process at once`);
  }
}

/** An aside: the run has ended as it has, whether or not its messages could be deleted. */
async function forget(shell: Shell, system: System, { sessionId }: SubmittedRun): Promise<void> {
  try {
    await forgetHistory(system.store, { projectId: system.projectId, sessionId });
  } catch {
    say(shell, `pilothouse: the messages of ${sessionId} could not be deleted`);
  }
}
