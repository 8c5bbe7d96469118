import { z } from 'zod';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';
import type { TransitionResult } from './transition';
import type { Fenced } from './transition-statement';

/**
 * The nonce says whether the row's last transition was this one; the version, whether
 * it can still come. A lock is taken, so that an attempt which the server is still
 * carrying out is waited for and not overlooked.
 */
const READ = `
SELECT r.id AS run, r.version, r.lease_epoch AS epoch, r.nonce,
       (SELECT max(e.created_at) FROM run_event e WHERE e.run_id = r.id AND e.seq = r.last_seq) AS at
  FROM run r
 WHERE r.id = ANY($1::text[])
 ORDER BY r.id FOR NO KEY UPDATE OF r`;

const readRow = z.object({ run: id(), version: integer, epoch: integer, nonce: z.string(), at: instant.nullable() });

/**
 * Settles transitions whose acknowledgement was lost, by the rows' own nonces (F9).
 *
 * @returns those that have not committed. They may be sent again, the very same: should
 *   a lost twin still arrive after all, version and epoch let one of the two change the
 *   row and the other change nothing.
 */
export async function settleByReading(
  sql: Sql,
  list: readonly Fenced[],
  results: Map<string, TransitionResult>,
): Promise<readonly Fenced[]> {
  if (list.length === 0) return [];
  const rows = new Map((await sql.rows(readRow, READ, list.map(({ run }) => run))).map((row) => [row.run, row]));
  return list.filter((one) => {
    const row = rows.get(one.run);
    if (row?.nonce === one.nonce) {
      results.set(one.run, { kind: 'committed', at: row.at ?? new Date() });
      return false;
    }
    if (row?.version === one.version && row.epoch === one.epoch) return true;
    // Moved by somebody else, before or after us: the log says which, and the caller folds it.
    results.set(one.run, { kind: 'overtaken' });
    return false;
  });
}
