import type { Configuration } from '@/lib/config/environment';
import type { System, SystemOptions } from '@/lib/system';

/** Opens the system, ends what expired, does the work, closes: the same for every verb (contract.md §3). */
export async function withSystem<T>(
  options: SystemOptions & { readonly configuration: Configuration },
  work: (system: System) => Promise<T>,
): Promise<T> {
  // Loaded when it is needed: help and refusals should not wait for the whole engine.
  const { openSystem } = await import('@/lib/system');
  const system = await openSystem(options);
  try {
    await system.sweep();
    return await work(system);
  } finally {
    await system.close();
  }
}
