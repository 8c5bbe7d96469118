import type { Actor } from '@/lib/domain/actor';
import type { UserId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import { insertAuditEntry } from '@/lib/store/insert-audit-entry';
import { readMembership } from '@/lib/store/read-membership';
import type { Sql } from '@/lib/store/sql';
import type { AuthContext } from './auth-context';

export type SignInEvent = 'signed_in' | 'sign_in_failed' | 'sign_in_refused' | 'profile_changed' | 'first_admin_made';

/** Who signed in, or tried to, in the audit of their project; of the first one where they have none. */
export async function auditSignIn(
  { newId, projectId }: Pick<AuthContext, 'newId' | 'projectId'>,
  sql: Sql,
  event: SignInEvent,
  userId: UserId | null,
  detail: JsonValue,
): Promise<void> {
  const membership = userId === null ? null : ((await readMembership(sql, userId))?.membership ?? null);
  const actor: Actor = userId === null ? 'system' : `user:${userId}`;
  await insertAuditEntry(sql, {
    auditId: newId('aud'),
    projectId: membership?.projectId ?? projectId,
    actor,
    action: event,
    target: userId,
    commandId: null,
    detail,
  });
}
