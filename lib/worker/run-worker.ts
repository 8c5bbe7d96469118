/** A worker: claims, drives, sweeps, until it is told to stop; then it releases what it holds. */
import type { RunId } from '@/lib/domain/id';
import { claimRuns } from '@/lib/store/claim-runs';
import type { Listener } from '@/lib/store/listen';
import { claimLoop } from './claim-loop';
import { driveRun, type Observer } from './drive-run';
import type { Engine } from './engine';

export interface WorkerParts {
  readonly engine: Engine;
  readonly listener: Listener;
  /** Names this process in `run.started`. */
  readonly owner: string;
  readonly slots: number;
  readonly leaseSeconds: number;
  readonly sweep: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

const POLL_MS = 1_000;

export async function runWorker(parts: WorkerParts, signal: AbortSignal): Promise<void> {
  const sweeping = keepSweeping(parts, signal);
  await claimLoop(
    {
      slots: parts.slots,
      pollMs: POLL_MS,
      claim: (limit) => claimRuns(parts.engine.store, { owner: parts.owner, leaseSeconds: parts.leaseSeconds, limit }),
      drive: (run) => driveRun(parts.engine, run, fromOutside(parts.engine, run.runId)),
      listener: parts.listener,
      onError: parts.onError,
    },
    signal,
  );
  await sweeping;
}

/** Nobody watches within this process. */
const fromOutside = (engine: Engine, runId: RunId): Observer => ({
  seenSeq: null,
  onEvents: () => undefined,
  onEphemeral: (event) => engine.publish(runId, event),
});

/** Often enough that a dead worker's run ends within the lease and a few seconds. */
async function keepSweeping(parts: WorkerParts, signal: AbortSignal): Promise<void> {
  const intervalMs = Math.min(2_000, parts.leaseSeconds * 250);
  while (!signal.aborted) {
    await parts.sweep().catch(parts.onError);
    await parts.engine.clock.sleep(intervalMs, signal);
  }
}
