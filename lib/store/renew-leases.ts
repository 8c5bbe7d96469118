import { z } from 'zod';
import type { RunId } from '@/lib/domain/id';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { id, integer } from './columns';
import type { Sql } from './sql';

export interface Renewed {
  readonly leaseEpoch: number;
  /** Higher than the holder's: a command came in; reload. */
  readonly version: number;
  readonly status: RunStatus;
}

/**
 * One statement a heartbeat, whatever the number of runs. The database's clock alone
 * says what has expired: a lease that ran out is never renewed, even if no sweeper came
 * by yet, since others may count on its end.
 *
 * Locked in the order of ids, as transitions are (transition-statement.ts).
 */
const RENEW = `
WITH held AS MATERIALIZED (
  SELECT r.id FROM run r JOIN unnest($1::text[], $2::bigint[]) AS mine(id, epoch) ON r.id = mine.id
   WHERE r.lease_epoch = mine.epoch AND r.lease_owner = $4 AND r.lease_expires_at > statement_timestamp()
   ORDER BY r.id FOR NO KEY UPDATE OF r
)
UPDATE run r SET lease_expires_at = statement_timestamp() + make_interval(secs => $3)
  FROM held h WHERE r.id = h.id
RETURNING r.id, r.lease_epoch, r.version, r.status`;

const renewedRow = z.object({ id: id<RunId>(), lease_epoch: integer, version: integer, status: z.enum(RUN_STATUSES) });

/**
 * Renews the leases of all runs of a process, where they have not expired. A run that
 * is missing in the answer is lost: stop its effects.
 */
export async function renewLeases(
  sql: Sql,
  request: {
    readonly owner: string;
    readonly leaseSeconds: number;
    readonly runs: readonly { readonly runId: RunId; readonly leaseEpoch: number }[];
  },
): Promise<ReadonlyMap<RunId, Renewed>> {
  const { owner, leaseSeconds, runs } = request;
  if (runs.length === 0) return new Map();
  const rows = await sql.rows(
    renewedRow,
    RENEW,
    runs.map((run) => run.runId),
    runs.map((run) => run.leaseEpoch),
    leaseSeconds,
    owner,
  );
  return new Map(rows.map((row) => [row.id, { leaseEpoch: row.lease_epoch, version: row.version, status: row.status }]));
}
