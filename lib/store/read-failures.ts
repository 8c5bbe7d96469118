import { z } from 'zod';
import { integer } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

/** By the partial index on failures, whose condition this repeats: the planner must see that it holds. */
const READ = `
SELECT seq FROM run_event
 WHERE run_id = $2 AND project_id = $1
   AND (type IN ('tool.failed', 'tool.denied', 'tool.unknown', 'model.failed')
        OR (type = 'tool.completed' AND payload ->> 'exit_code' <> '0'))
 ORDER BY seq DESC LIMIT $3`;

/** The places of the latest failures of a run, in order, at most `limit`. */
export async function readFailures(sql: Sql, request: RunRef & { readonly limit: number }): Promise<readonly number[]> {
  const rows = await sql.rows(z.object({ seq: integer }), READ, request.projectId, request.runId, request.limit);
  return rows.map((row) => row.seq).reverse();
}
