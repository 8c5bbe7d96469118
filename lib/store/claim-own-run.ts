import type { RunRef } from './read-run';
import type { ClaimedRun } from './claim-runs';
import type { Store } from './database';

export type OwnClaim =
  | { readonly kind: 'claimed'; readonly run: ClaimedRun }
  /** Another session writes in the directory: keep the lease renewed and ask again. */
  | { readonly kind: 'workspace_held' }
  /** No longer queued under a lease of this owner: cancelled, or the lease expired. */
  | { readonly kind: 'gone' };

/** Claims a run that was born leased to `owner` (`dispatch: local`). */
export function claimOwnRun(
  _store: Store,
  _request: RunRef & { readonly owner: string; readonly leaseSeconds: number },
): Promise<OwnClaim> {
  throw new Error('not built yet');
}
