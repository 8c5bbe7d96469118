import { z } from 'zod';
import type { RunRow } from './read-run';
import { integer } from './columns';
import type { Sql } from './sql';

/**
 * Backwards over the generations of the task in this turn, as long as each was begun by
 * itself and completed no round. A round is completed when the provider has responded.
 */
const COUNT = `
WITH RECURSIVE chain AS (
  SELECT r.id, r.origin, r.generation, r.turn_id, r.task_id,
         EXISTS (SELECT 1 FROM model_request q WHERE q.run_id = r.id AND q.status = 'responded') AS worked
    FROM run r WHERE r.project_id = $1 AND r.id = $2
  UNION ALL
  SELECT r.id, r.origin, r.generation, r.turn_id, r.task_id,
         EXISTS (SELECT 1 FROM model_request q WHERE q.run_id = r.id AND q.status = 'responded')
    FROM chain c JOIN run r ON r.turn_id = c.turn_id AND r.task_id = c.task_id AND r.generation = c.generation - 1
   WHERE c.origin = 'continued' AND NOT c.worked
)
SELECT count(*) AS count FROM chain WHERE origin = 'continued' AND NOT worked`;

/** How often in a row, up to this run, the task went on by itself without getting anywhere. */
export async function countContinuations(sql: Sql, run: RunRow): Promise<number> {
  const [row] = await sql.rows(z.object({ count: integer }), COUNT, run.projectId, run.runId);
  return row?.count ?? 0;
}
