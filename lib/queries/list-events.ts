import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import { readEvents } from '@/lib/store/read-events';
import type { Sql } from '@/lib/store/sql';

export interface ListEvents {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** The last seq that the caller has seen. */
  readonly after: number;
  readonly limit: number;
}

/** The next stored events of a run, in order; fewer than `limit` means: these are all, so far. */
export const listEvents = (sql: Sql, request: ListEvents): Promise<readonly RunEvent[]> => readEvents(sql, request);
