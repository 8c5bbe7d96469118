import type { Sql } from './sql';

export interface Store extends Sql {
  /**
   * For commands and the sweeper, never on a run's way. `work` may run several times
   * (serialization failures, deadlocks): no effect outside `sql`.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Wakes whoever watches these runs, within about 20 ms. Never fails, never waits. */
  announce(...runIds: readonly string[]): void;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Connections at once. */
  readonly poolSize?: number;
}

export function openStore(_url: string, _options: StoreOptions = {}): Store {
  throw new Error('not built yet');
}
