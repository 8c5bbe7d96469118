import { setTimeout as sleep } from 'node:timers/promises';
import type { System, SystemOptions } from '@/lib/system';

/** Longer than a database server needs to stop; a process that has done its work must not hang for ever. */
const CLOSE_MS = 30_000;

/** Opens the system, ends what expired, does the work, closes: the same for every verb (contract.md §3). */
export async function withSystem<T>(options: SystemOptions, work: (system: System) => Promise<T>): Promise<T> {
  // Loaded when it is needed: help and refusals should not wait for the whole engine.
  const { openSystem } = await import('@/lib/system');
  const system = await openSystem(options);
  try {
    await system.sweep();
    return await work(system);
  } finally {
    await close(system);
  }
}

/** What was done is done: that something could not be closed does not change how it ended. */
async function close(system: System): Promise<void> {
  const patience = new AbortController();
  const late = sleep(CLOSE_MS, 'late' as const, { signal: patience.signal }).catch(() => 'closed' as const);
  try {
    const how = await Promise.race([system.close().then(() => 'closed' as const), late]);
    if (how === 'late') console.error(`pilothouse: not everything was closed within ${CLOSE_MS / 1_000} s`);
  } catch {
    console.error('pilothouse: not everything could be closed');
  } finally {
    patience.abort();
  }
}
