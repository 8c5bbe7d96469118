import type { Store } from './database';
import type { Transition, TransitionResult } from './transition';

export interface WritePath {
  /** @throws StoreError where the outcome could not be found out in time. */
  transition(one: Transition): Promise<TransitionResult>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export function createWritePath(_store: Store): WritePath {
  throw new Error('not built yet');
}
