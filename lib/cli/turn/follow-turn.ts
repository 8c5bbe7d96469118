/** Reads a turn to its rest from the store, whoever drives it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { showRun, type RunView } from '@/lib/queries/show-run';
import type { System } from '@/lib/system';
import { CliError } from '../cli-error';
import { EXIT } from '../exit-code';
import { storedEvents } from './read-events';
import type { TurnFeed } from './turn-feed';

const POLL_MS = 200;
const SWEEP_EVERY = 10;

/**
 * Resolves with the run as stored when the turn rests.
 * @param signal ends the watching, not the run: then it resolves with null.
 */
export async function followTurn(system: System, feed: TurnFeed, signal: AbortSignal): Promise<RunView | null> {
  for (let look = 1; !signal.aborted; look += 1) {
    const { runId } = feed;
    for await (const page of storedEvents(system, runId, feed.seq)) feed.take(runId, page);
    if (feed.atRest) return restingRun(system, feed);
    if (feed.runId !== runId) continue;
    // Whoever drove it may be dead: then it ends by the sweep.
    if (look % SWEEP_EVERY === 0) await system.sweep();
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function restingRun(system: System, { runId }: TurnFeed): Promise<RunView> {
  const run = await showRun(system.store, { projectId: system.projectId, runId });
  if (run === null) throw new CliError(`the run ${runId} is gone from the database`, EXIT.broken);
  return run;
}
