/**
 * What remote `exec`, `exec resume` and `resume` share: shows the turn that a request
 * began, lets a signal cancel it, and says by the stored run how it ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '@/lib/queries/show-run';
import { EXIT, SIGNAL_EXIT } from '../exit-code';
import { say, type Shell } from '../shell';
import { openReporter } from '../turn/open-reporter';
import { TurnFeed } from '../turn/turn-feed';
import { runAnswer } from './answers';
import { backoff } from './backoff';
import { isAway, newCommandId, type ControlPlane } from './control-plane';
import { ControlPlaneError, isRefusal } from './control-plane-error';
import { followRemoteTurn, lost } from './follow-remote-turn';
import { understanding } from './stream-message';

export interface Begun {
  readonly run: RunView;
  /** This call began it: a signal cancels it. Else the signal ends the watching only. */
  readonly ours: boolean;
}

/** @returns the exit code. */
export async function watchRemoteTurn(shell: Shell, plane: ControlPlane, begun: Begun, flags: { readonly json?: boolean }): Promise<number> {
  const reporter = openReporter(shell, flags);
  const feed = new TurnFeed(begun.run.id, flags.json === true ? reporter : understanding(reporter));
  const leaving = new AbortController();
  const over = new AbortController();
  const stopAsking = shell.signals.onFirst((signal) => {
    if (begun.ours) void cancelUntilOver(shell, plane, feed, signal, over.signal);
    else leaving.abort();
  });
  try {
    await followRemoteTurn(shell, plane, feed, leaving.signal);
  } finally {
    stopAsking();
    over.abort();
  }
  const { received } = shell.signals;
  if (!feed.atRest) return received === null ? EXIT.broken : SIGNAL_EXIT[received];
  const run = await restingRun(shell, plane, feed.runId);
  reporter.ended(run, { resumable: feed.resumable });
  // The control plane knows who cancelled, not by which signal that person was told to.
  if (run.status === 'cancelled' && begun.ours && received !== null) return SIGNAL_EXIT[received];
  return run.exit_code ?? EXIT.broken;
}

const TRIES = 20;

/** From the control plane's record, never from what was streamed. */
async function restingRun(shell: Shell, plane: ControlPlane, runId: string): Promise<RunView> {
  for (let failures = 1; ; failures += 1) {
    try {
      return (await plane.ask({ method: 'GET', path: `/api/v1/runs/${runId}`, schema: runAnswer })).value;
    } catch (error) {
      if (!isAway(error) || failures === TRIES) throw error instanceof ControlPlaneError ? lost(error, runId, shell) : error;
      await sleep(backoff(failures));
    }
  }
}

const LOOK_MS = 250;

/** Asks until the run is being cancelled, the next one too where this one goes on as another. Never rejects. */
async function cancelUntilOver(shell: Shell, plane: ControlPlane, feed: TurnFeed, signal: string, over: AbortSignal): Promise<void> {
  let commandId = newCommandId();
  const isOver = (): boolean => over.aborted;
  for (let failures = 1; !isOver(); failures += 1) {
    const { runId } = feed;
    try {
      await plane.ask({ method: 'POST', path: `/api/v1/runs/${runId}/cancel`, schema: runAnswer, commandId });
      return;
    } catch (error) {
      if (isRefusal(error, 'run_ended')) {
        // By itself, and that end is the true one; or it goes on, as the feed will tell.
        while (feed.runId === runId && !isOver()) await sleep(LOOK_MS);
        commandId = newCommandId();
        failures = 0;
        continue;
      }
      if (failures === 1) say(shell, `pilothouse: ${signal} came, but the run could not be cancelled${isAway(error) ? ' yet' : ''}; once more ends this process at once`);
      if (!isAway(error)) return;
      await sleep(backoff(failures), undefined, { signal: over }).catch(() => undefined);
    }
  }
}
