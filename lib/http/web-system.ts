import type { System } from '@/lib/system';
import { openConfiguredSystem } from '@/lib/system/open-configured-system';

/**
 * One system a web process, opened by the first request that needs it. On globalThis,
 * because a web server may load this module more than once (for pages and for routes),
 * and each copy would hold connections of its own.
 *
 * A failed opening is not kept: the database may come back.
 * @throws DatabaseUnavailableError, ConfigurationError
 */
export function webSystem(): Promise<System> {
  const slot = slotOfProcess();
  if (slot.opened !== null) return slot.opened;
  const opening = openConfiguredSystem();
  slot.opened = opening;
  opening.catch(() => {
    if (slot.opened === opening) slot.opened = null;
  });
  return opening;
}

/** Closes the system of this process where one was opened; for its shutdown. */
export async function closeWebSystem(): Promise<void> {
  const slot = slotOfProcess();
  const { opened } = slot;
  slot.opened = null;
  await (await opened?.catch(() => null))?.close();
}

interface Slot {
  opened: Promise<System> | null;
}

function slotOfProcess(): Slot {
  const holder = globalThis as { pilothouseWebSystem?: Slot };
  return (holder.pilothouseWebSystem ??= { opened: null });
}
