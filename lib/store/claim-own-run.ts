import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { claimedRow, claimStatement, type ClaimedRun } from './claim-statement';
import type { Store } from './database';
import type { RunRef } from './read-run';
import { retryConflicts } from './retry';
import { StoreError } from './store-error';

export type OwnClaim =
  | { readonly kind: 'claimed'; readonly run: ClaimedRun }
  /** Another session writes in the directory: keep the lease renewed and ask again. */
  | { readonly kind: 'workspace_held' }
  /** Somebody else has the row in hand (a cancel, say), and what comes of it is not known yet: ask again. */
  | { readonly kind: 'busy' }
  /** No longer queued under a lease of this owner: cancelled, or the lease expired. */
  | { readonly kind: 'gone' };

const OWN = `r.project_id = $5 AND r.id = $6 AND r.dispatch = 'local' AND r.lease_owner = $1 AND r.lease_expires_at > statement_timestamp()`;
const CLAIM = claimStatement(OWN);
const STILL_OURS = `
SELECT EXISTS (SELECT 1 FROM run h WHERE h.workspace_path = r.workspace_path AND h.holds_workspace AND h.session_id <> r.session_id) AS held
  FROM run r
 WHERE r.project_id = $1 AND r.id = $2 AND r.status = 'queued' AND r.lease_owner = $3 AND r.lease_expires_at > statement_timestamp()`;

/** Claims a run that was born leased to `owner` (`dispatch: local`). */
export async function claimOwnRun(
  store: Pick<Store, 'rows' | 'announce'>,
  request: RunRef & { readonly owner: string; readonly leaseSeconds: number },
): Promise<OwnClaim> {
  const { projectId, runId, owner, leaseSeconds } = request;
  try {
    const [run] = await retryConflicts(() =>
      store.rows(claimedRow, CLAIM, owner, leaseSeconds, randomUUID(), 1, projectId, runId),
    );
    if (run !== undefined) {
      store.announce(runId);
      return { kind: 'claimed', run };
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.constraint !== 'run_one_holder_key') throw error;
  }
  const [ours] = await store.rows(z.object({ held: z.boolean() }), STILL_OURS, projectId, runId, owner);
  if (ours === undefined) return { kind: 'gone' };
  return { kind: ours.held ? 'workspace_held' : 'busy' };
}
