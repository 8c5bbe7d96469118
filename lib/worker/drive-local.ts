/**
 * Drives the run of a local `exec`: born leased to this process, which claims nothing
 * else. Where another session writes in the same directory, it waits its turn and
 * keeps its lease meanwhile.
 */
import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import { claimOwnRun } from '@/lib/store/claim-own-run';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import { readEvents } from '@/lib/store/read-events';
import { readRun } from '@/lib/store/read-run';
import type { Listener } from '@/lib/store/listen';
import { driveRun, type Observer } from './drive-run';
import type { Engine } from './engine';

export interface LocalRun {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  readonly owner: string;
  readonly leaseSeconds: number;
}

export interface LocalObserver extends Omit<Observer, 'seenSeq'> {
  /** Told once when the run has to wait for another session that writes in its directory. Must not throw. */
  readonly onWorkspaceHeld?: () => void;
}

/** Whoever calls drives it with their own rights: `--cwd` counts as an allowed root, and stays one for its session. */
const anywhere = async (): Promise<boolean> => true;

const WAIT_MS = 250;
const EVENT_PAGE = 500;

/** Resolves when the run has ended, or the lease is lost. How it ended is in the database. */
export async function driveLocal(
  engine: Engine,
  listener: Listener,
  run: LocalRun,
  observer: LocalObserver,
): Promise<void> {
  let seenSeq = 0;
  const show = async (): Promise<void> => {
    for (;;) {
      const page = await readEvents(engine.store, { ...run, after: seenSeq, limit: EVENT_PAGE });
      deliver(page, observer);
      seenSeq = page.at(-1)?.seq ?? seenSeq;
      if (page.length < EVENT_PAGE) return;
    }
  };
  await show();
  const claimed = await claimWhenFree(engine, run, observer);
  if (claimed === null) return show();
  const drive = driveRun({ ...engine, mayWorkIn: anywhere }, claimed, {
    seenSeq,
    onEvents: observer.onEvents,
    onEphemeral(event) {
      engine.publish(run.runId, event);
      observer.onEphemeral(event);
    },
  });
  const unsubscribe = listener.onWork((runId) => {
    if (runId === null || runId === run.runId) drive.nudge();
  });
  try {
    await drive.done;
  } finally {
    unsubscribe();
  }
}

/** null when the run is no longer ours to begin: cancelled, or its lease expired. */
async function claimWhenFree(engine: Engine, run: LocalRun, observer: LocalObserver): Promise<ClaimedRun | null> {
  const row = await readRun(engine.store, run);
  if (row === null) return null;
  const lost = new AbortController();
  const unhold = engine.leases.hold({
    runId: run.runId,
    leaseEpoch: row.leaseEpoch,
    version: () => row.version,
    onLost: () => lost.abort(),
    onChanged: () => undefined,
  });
  let told = false;
  try {
    while (!lost.signal.aborted) {
      const claim = await claimOwnRun(engine.store, run);
      if (claim.kind === 'claimed') return claim.run;
      if (claim.kind === 'gone') return null;
      if (claim.kind === 'workspace_held' && !told) {
        observer.onWorkspaceHeld?.();
        told = true;
      }
      await engine.clock.sleep(WAIT_MS, lost.signal);
    }
    return null;
  } finally {
    unhold();
  }
}

function deliver(events: readonly RunEvent[], observer: Omit<Observer, 'seenSeq'>): void {
  if (events.length > 0) observer.onEvents(events);
}
