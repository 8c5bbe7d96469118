/** The three signals and what belongs to them, as of this moment; after the end as it recorded them. */
import { signalsOf as signalsSoFar, type Signals } from '@/lib/domain/run/complete';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { RunCache } from './run-cache';

export type { Signals } from '@/lib/domain/run/complete';

/** @param others sums over the other runs of the turn. */
export function signalsOf({ state, completion }: RunCache, others: OtherTotals): Signals {
  return completion ?? signalsSoFar(state, others);
}
