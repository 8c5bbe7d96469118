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
  /** No longer queued under a lease of this owner: cancelled, or the lease expired. */
  | { readonly kind: 'gone' };

const OWN = `r.project_id = $5 AND r.id = $6 AND r.dispatch = 'local' AND r.lease_owner = $1 AND r.lease_expires_at > statement_timestamp()`;
const CLAIM = claimStatement(OWN);
const STILL_OURS = `
SELECT 1 AS one FROM run
 WHERE project_id = $1 AND id = $2 AND status = 'queued' AND lease_owner = $3 AND lease_expires_at > statement_timestamp()`;

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
  const [ours] = await store.rows(z.object({ one: z.number() }), STILL_OURS, projectId, runId, owner);
  return ours === undefined ? { kind: 'gone' } : { kind: 'workspace_held' };
}
