import { z } from 'zod';
import type { RunId } from '@/lib/domain/id';
import { id, instant, integer } from './columns';
import type { StoredEvent } from './read-log';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

export interface TreeEvent {
  readonly runId: RunId;
  /** 0 for the root of the tree. */
  readonly depth: number;
  readonly event: StoredEvent;
}

const TREE = `
WITH RECURSIVE tree AS (
  SELECT id, 0 AS depth FROM run WHERE project_id = $1 AND id = $2
  UNION ALL
  SELECT r.id, t.depth + 1 FROM run r JOIN tree t ON r.parent_run_id = t.id AND r.project_id = $1
)`;

/**
 * In one statement, so that all logs are of one moment: whoever sees `task.ended` sees the
 * child's terminal, which committed before it.
 */
const EVENTS = `${TREE}
SELECT t.id AS run, t.depth, e.seq, e.type, e.payload, e.created_at
  FROM tree t
  LEFT JOIN unnest($3::text[], $4::bigint[]) AS c(run, seq) ON c.run = t.id
  CROSS JOIN LATERAL (
    SELECT seq, type, payload, created_at FROM run_event WHERE run_id = t.id AND seq > coalesce(c.seq, 0) ORDER BY seq LIMIT $5
  ) e
 ORDER BY e.created_at, t.depth, t.id, e.seq LIMIT $5`;
const MEMBERS = `${TREE} SELECT id FROM tree`;

const row = z
  .object({ run: id<RunId>(), depth: integer, seq: integer, type: z.string(), payload: z.unknown(), created_at: instant })
  .transform(
    ({ run, depth, seq, type, payload, created_at }): TreeEvent => ({
      runId: run,
      depth,
      event: { seq, type, payload, timestamp: created_at.toISOString() },
    }),
  );

/** Events of a run and all runs below it, above each one's cursor, by time; at most `limit`. */
export const readTree = (
  sql: Pick<Sql, 'rows'>,
  ref: RunRef,
  after: ReadonlyMap<RunId, number>,
  limit: number,
): Promise<readonly TreeEvent[]> => sql.rows(row, EVENTS, ref.projectId, ref.runId, [...after.keys()], [...after.values()], limit);

export async function readMembers(sql: Pick<Sql, 'rows'>, ref: RunRef): Promise<readonly RunId[]> {
  return (await sql.rows(z.object({ id: id<RunId>() }), MEMBERS, ref.projectId, ref.runId)).map((found) => found.id);
}
