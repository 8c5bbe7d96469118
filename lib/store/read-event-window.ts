import { z } from 'zod';
import { parseEvent, type RunEvent } from '@/lib/domain/run/event';
import { instant, integer } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

/** Backwards by the primary key: the end of a log costs the same however long the log is. */
const READ = `
SELECT seq, type, payload, created_at FROM run_event
 WHERE run_id = $2 AND project_id = $1 AND seq <= $3 ORDER BY seq DESC LIMIT $4`;

const eventRow = z
  .object({ seq: integer, type: z.string(), payload: z.unknown(), created_at: instant })
  .transform((row) => parseEvent({ ...row, timestamp: row.created_at.toISOString() }));

/** The last stored events up to and with `upTo`, at most `limit`, in order. */
export async function readEventWindow(
  sql: Sql,
  request: RunRef & { readonly upTo: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  return (await sql.rows(eventRow, READ, request.projectId, request.runId, request.upTo, request.limit)).reverse();
}
