import type { ProjectId, SessionId } from '@/lib/domain/id';
import { deleteMessages } from '@/lib/store/delete-messages';
import type { Sql } from '@/lib/store/sql';

/**
 * Deletes the messages of a session that is not kept, when no run of it is live. The
 * event log stays whole. Does nothing to a kept one.
 */
export async function forgetHistory(
  sql: Sql,
  session: { readonly projectId: ProjectId; readonly sessionId: SessionId },
): Promise<void> {
  await deleteMessages(sql, session);
}
