import type { ProjectId, TaskId } from '@/lib/domain/id';
import type { ChatMessage } from '@/lib/domain/message';
import type { Sql } from './sql';

/** A task's messages over all turns and generations, in order. */
export function readConversation(
  _sql: Sql,
  _request: { readonly projectId: ProjectId; readonly taskId: TaskId },
): Promise<readonly ChatMessage[]> {
  throw new Error('not built yet');
}
