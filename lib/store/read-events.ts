import type { RunEvent } from '@/lib/domain/run/event';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

/** Stored events with a seq above `after`, at most `limit`, in order. A shorter answer than `limit` is the end so far. */
export function readEvents(_sql: Sql, _request: RunRef & { readonly after: number; readonly limit: number }): Promise<readonly RunEvent[]> {
  throw new Error('not built yet');
}
