import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { Store } from '@/lib/store/database';

/**
 * Deletes the messages of a session that is not kept, when no run of it is live. The
 * event log stays whole. Does nothing to a kept one.
 */
export function forgetHistory(_store: Store, _session: { readonly projectId: ProjectId; readonly sessionId: SessionId }): Promise<void> {
  throw new Error('not built yet');
}
