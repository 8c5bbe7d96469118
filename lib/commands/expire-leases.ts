import type { RunId } from '@/lib/domain/id';
import type { CommandContext } from './context';

export interface Expired {
  readonly runId: RunId;
  readonly status: 'interrupted' | 'cancelled';
  /** The next generation, where the run goes on by itself. */
  readonly continuesAs: RunId | null;
}

/** Ends the runs whose lease has expired. Safe with any number of sweepers at once. */
export function expireLeases(_context: CommandContext): Promise<readonly Expired[]> {
  throw new Error('not built yet');
}
