import type { NewId } from '@/lib/domain/id';
import type { Store } from '@/lib/store/database';
import { insertAuditEntry } from '@/lib/store/insert-audit-entry';
import { actorOf, type Principal } from './principal';

const EVERY_MS = 60_000;
const MOST_REMEMBERED = 1_000;
const last = new Map<string, number>();

/**
 * Who was refused what: once a minute for the same, since a client that tries again and
 * again must not fill the audit. The refusal itself does not depend on it: never rejects.
 * @param what method and path.
 */
export async function auditDenial(
  { store, commands }: { readonly store: Store; readonly commands: { readonly newId: NewId } },
  principal: Principal,
  what: string,
): Promise<void> {
  const key = `${principal.userId} ${what}`;
  const now = performance.now();
  if (now - (last.get(key) ?? -Infinity) < EVERY_MS) return;
  if (last.size >= MOST_REMEMBERED) last.clear();
  last.set(key, now);
  try {
    await insertAuditEntry(store, {
      auditId: commands.newId('aud'),
      projectId: principal.projectId,
      actor: actorOf(principal),
      action: 'denied',
      target: what.slice(0, 300),
      commandId: null,
      detail: { role: principal.role, via: principal.via },
    });
  } catch {
    // See above.
  }
}
