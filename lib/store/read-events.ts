import { z } from 'zod';
import { parseEvent, type RunEvent } from '@/lib/domain/run/event';
import { instant, integer } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

const READ = `
SELECT seq, type, payload, created_at FROM run_event
 WHERE run_id = $2 AND project_id = $1 AND seq > $3 ORDER BY seq LIMIT $4`;

const eventRow = z
  .object({ seq: integer, type: z.string(), payload: z.unknown(), created_at: instant })
  .transform((row) => parseEvent({ ...row, timestamp: row.created_at.toISOString() }));

/** Stored events with a seq above `after`, at most `limit`, in order. A shorter answer than `limit` is the end so far. */
export function readEvents(
  sql: Sql,
  request: RunRef & { readonly after: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  return sql.rows(eventRow, READ, request.projectId, request.runId, request.after, request.limit);
}
