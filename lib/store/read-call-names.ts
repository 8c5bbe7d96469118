import { z } from 'zod';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

const READ = `SELECT id, name FROM tool_call WHERE id = ANY($3) AND run_id = $2 AND project_id = $1`;

/** Of calls that are known by their id. */
export async function readCallNames(
  sql: Sql,
  request: RunRef & { readonly callIds: readonly string[] },
): Promise<Readonly<Record<string, { readonly name: string }>>> {
  if (request.callIds.length === 0) return {};
  const rows = await sql.rows(z.object({ id: z.string(), name: z.string() }), READ, request.projectId, request.runId, request.callIds);
  return Object.fromEntries(rows.map((row) => [row.id, { name: row.name }]));
}
