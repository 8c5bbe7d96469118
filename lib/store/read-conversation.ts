import { z } from 'zod';
import type { ProjectId, TaskId } from '@/lib/domain/id';
import type { ChatMessage } from '@/lib/domain/message';
import { integer } from './columns';
import type { Sql } from './sql';

/** By the primary key: a page costs the same wherever it begins. */
const READ = `
SELECT turn_number, generation, seq, content FROM message
 WHERE task_id = $2 AND project_id = $1 AND (turn_number, generation, seq) > ($3, $4, $5)
 ORDER BY turn_number, generation, seq LIMIT $6`;

const messageRow = z.object({ turn_number: integer, generation: integer, seq: integer, content: z.custom<ChatMessage>() });
const PAGE = 500;

/** A task's messages over all turns and generations, in order. */
export async function readConversation(
  sql: Sql,
  task: { readonly projectId: ProjectId; readonly taskId: TaskId },
): Promise<readonly ChatMessage[]> {
  const messages: ChatMessage[] = [];
  let at = { turn_number: 0, generation: 0, seq: 0 };
  for (;;) {
    const page = await sql.rows(messageRow, READ, task.projectId, task.taskId, at.turn_number, at.generation, at.seq, PAGE);
    for (const row of page) messages.push(row.content);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return messages;
    at = last;
  }
}
