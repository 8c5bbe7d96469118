import type { RunId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import type { Store } from './database';

export interface Renewed {
  readonly leaseEpoch: number;
  /** Higher than the holder's: a command came in; reload. */
  readonly version: number;
  readonly status: RunStatus;
}

/**
 * Renews the leases of all runs of a process, where they have not expired. A run that
 * is missing in the answer is lost: stop its effects.
 */
export function renewLeases(
  _store: Store,
  _request: { readonly leaseSeconds: number; readonly runs: readonly { readonly runId: RunId; readonly leaseEpoch: number }[] },
): Promise<ReadonlyMap<RunId, Renewed>> {
  throw new Error('not built yet');
}
