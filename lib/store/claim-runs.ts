import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { claimedRow, claimStatement, TAKEN, type ClaimedRun } from './claim-statement';
import type { Store } from './database';
import { jittered, retryConflicts } from './retry';
import { StoreError } from './store-error';

export type { ClaimedRun } from './claim-statement';

export interface ClaimRequest {
  /** Names the process, this life of it and no other, in `run.started{worker}` and on the lease. */
  readonly owner: string;
  readonly leaseSeconds: number;
  /** At most so many. */
  readonly limit: number;
}

const CLAIM = claimStatement("r.dispatch = 'worker'");
const LOOK_UPS = 5;

/**
 * The runs that have waited longest, each given to one process only. A directory that
 * two claims wanted at once makes one of them fail as a whole; it asks again, and again
 * for one run alone, so that a contended directory cannot keep others from starting.
 */
export async function claimRuns(store: Pick<Store, 'rows' | 'announce'>, request: ClaimRequest): Promise<readonly ClaimedRun[]> {
  for (const limit of [request.limit, request.limit, 1]) {
    const claimed = await claim(store, { ...request, limit });
    if (claimed === 'contended') continue;
    store.announce(...claimed.map((run) => run.runId));
    return claimed;
  }
  return [];
}

async function claim(store: Pick<Store, 'rows'>, request: ClaimRequest): Promise<readonly ClaimedRun[] | 'contended'> {
  const nonce = randomUUID();
  try {
    return await retryConflicts(() => store.rows(claimedRow, CLAIM, request.owner, request.leaseSeconds, nonce, request.limit));
  } catch (error) {
    if (error instanceof StoreError && error.constraint === 'run_one_holder_key') return 'contended';
    if (error instanceof StoreError && error.code === 'unavailable') return lookUp(store, request.owner, nonce);
    throw error;
  }
}

/**
 * After a lost acknowledgement (F9). A claim that commits later than this looks is
 * nobody's: its lease runs out with nothing in flight, and the run goes on by itself.
 */
async function lookUp(store: Pick<Store, 'rows'>, owner: string, nonce: string): Promise<readonly ClaimedRun[]> {
  for (let attempt = 1; ; attempt += 1) {
    await sleep(jittered(20 * 2 ** attempt));
    try {
      return await store.rows(claimedRow, TAKEN, owner, nonce);
    } catch (error) {
      if (attempt === LOOK_UPS) throw error;
    }
  }
}
