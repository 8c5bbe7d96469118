import { z } from 'zod';
import type { ProjectId, TaskId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import { instant, integer } from './columns';
import type { Sql } from './sql';

export interface MessagePlace {
  readonly turnNumber: number;
  readonly generation: number;
  readonly seq: number;
}

export interface MessageRow extends MessagePlace {
  readonly runId: string;
  readonly role: string;
  readonly content: JsonValue;
  readonly createdAt: Date;
}

/** By the primary key: a page costs the same wherever it begins. */
const READ = `
SELECT turn_number, generation, seq, run_id, role, content, created_at FROM message
 WHERE task_id = $2 AND project_id = $1 AND (turn_number, generation, seq) > ($3, $4, $5)
 ORDER BY turn_number, generation, seq LIMIT $6`;

const row = z
  .object({
    turn_number: integer,
    generation: integer,
    seq: integer,
    run_id: z.string(),
    role: z.string(),
    content: z.custom<JsonValue>(),
    created_at: instant,
  })
  .transform((found): MessageRow => ({
    turnNumber: found.turn_number,
    generation: found.generation,
    seq: found.seq,
    runId: found.run_id,
    role: found.role,
    content: found.content,
    createdAt: found.created_at,
  }));

/** A task's messages after a place, in order, at most `limit`. */
export function readMessages(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly taskId: TaskId; readonly after: MessagePlace; readonly limit: number },
): Promise<readonly MessageRow[]> {
  const { turnNumber, generation, seq } = request.after;
  return sql.rows(row, READ, request.projectId, request.taskId, turnNumber, generation, seq, request.limit);
}
