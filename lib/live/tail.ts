/** Server side of live views: run logs and project lists, from the tables, woken by NOTIFY. */
import type { ProjectId, RunId } from '@/lib/domain/id';
import type { Listener } from '@/lib/store/listen';
import type { Sql } from '@/lib/store/sql';
import type { Frame } from './frame';

export type Frames = AsyncGenerator<readonly Frame[]>;

export interface TailRequest {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** The last seq that the reader has seen. */
  readonly after: number;
  readonly signal: AbortSignal;
}

export interface Topics {
  readonly projectId: ProjectId;
  readonly runs: readonly { readonly runId: RunId; readonly after: number }[];
  /** Changes of any run of the project (`runs.changed`). */
  readonly project: boolean;
  readonly signal: AbortSignal;
}

/** One a process (`system.live`). Holds no connection of its own and costs nothing while nobody watches. */
export interface Live {
  /** The stream of one run by contract.md §5. Resolves with null where the project has no such run. */
  tail(request: TailRequest): Promise<Frames | null>;
  /** With the runs below it; cursors as `parseTreeCursor` has them, ids likewise. */
  tailTree(request: Omit<TailRequest, 'after'> & { readonly after: ReadonlyMap<RunId, number> }): Promise<Frames | null>;
  /** Any number of runs and the project's list in one stream (`GET /api/v1/stream`). */
  multiplex(topics: Topics): Frames;
  /** How many watchers there are; for tests and metrics. */
  watchers(): number;
}

export function createLive(_source: { readonly store: Pick<Sql, 'rows'>; readonly listener: Listener }): Live {
  throw new Error('not built yet');
}
