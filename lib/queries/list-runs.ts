import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import type { Sql } from '@/lib/store/sql';
import type { RunView } from './show-run';

export interface ListRuns {
  readonly projectId: ProjectId;
  readonly statuses?: readonly RunStatus[];
  readonly sessionId?: SessionId;
  /** A part of the task's text. */
  readonly q?: string;
  readonly since?: Date;
  /** Runs of sub-agents too. */
  readonly children?: boolean;
  /** As an earlier page gave it. */
  readonly cursor?: string;
  /** 1 to 200; 50 by default. */
  readonly limit?: number;
}

export interface RunPage {
  readonly items: readonly RunView[];
  readonly next_cursor: string | null;
}

/**
 * Newest first.
 * @returns null for a cursor that no page gave.
 */
export function listRuns(_sql: Sql, _request: ListRuns): Promise<RunPage | null> {
  throw new Error('not built yet');
}
