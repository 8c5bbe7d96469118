import { z } from 'zod';
import { eventPayloads, type EventPayload } from '@/lib/domain/run/event';
import { instant, integer } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

export interface ToldMessage {
  readonly seq: number;
  readonly at: string;
  readonly payload: EventPayload<'message.appended'>;
}

/** By the partial index on landmarks. */
const READ = `
SELECT seq, payload, created_at FROM run_event
 WHERE run_id = $2 AND project_id = $1 AND type = 'message.appended' ORDER BY seq DESC LIMIT $3`;

const row = z
  .object({ seq: integer, payload: eventPayloads['message.appended'], created_at: instant })
  .transform((found): ToldMessage => ({ seq: found.seq, at: found.created_at.toISOString(), payload: found.payload }));

/** The latest messages in the user's seat, in order, at most `limit`. */
export async function readTold(sql: Sql, request: RunRef & { readonly limit: number }): Promise<readonly ToldMessage[]> {
  return (await sql.rows(row, READ, request.projectId, request.runId, request.limit)).reverse();
}
