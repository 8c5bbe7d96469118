import type { ProjectId, SessionId } from '@/lib/domain/id';
import { isId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import { listRunRows } from '@/lib/store/list-runs';
import type { RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { totalsOfTurns } from '@/lib/store/turn-totals';
import { runView, type RunView } from './run-view';

export interface ListRuns {
  readonly projectId: ProjectId;
  readonly statuses?: readonly RunStatus[];
  readonly sessionId?: SessionId;
  /** A part of the task's text. */
  readonly q?: string;
  readonly since?: Date;
  /** Runs of sub-agents too. */
  readonly children?: boolean;
  /** Only what these actors submitted. */
  readonly createdBy?: readonly string[];
  /** As an earlier page gave it. */
  readonly cursor?: string;
  /** 1 to 200; 50 by default. */
  readonly limit?: number;
}

export interface RunPage {
  readonly items: readonly RunView[];
  readonly next_cursor: string | null;
}

const MOST = 200;

/**
 * Newest first.
 * @returns null for a cursor that no page gave.
 */
export async function listRuns(sql: Sql, request: ListRuns): Promise<RunPage | null> {
  const before = request.cursor === undefined ? null : readCursor(request.cursor);
  if (before === undefined) return null;
  const limit = Math.min(MOST, Math.max(1, Math.trunc(request.limit ?? 50)));
  // One more than asked for tells whether there is another page.
  const rows = await listRunRows(sql, {
    projectId: request.projectId,
    statuses: request.statuses ?? null,
    sessionId: request.sessionId ?? null,
    q: request.q ?? null,
    since: request.since ?? null,
    children: request.children ?? false,
    createdBy: request.createdBy ?? null,
    before,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const open = page.filter((row) => row.completion === null).map((row) => row.turnId);
  const totals = await totalsOfTurns(sql, { projectId: request.projectId, turnIds: [...new Set(open)] });
  return {
    items: page.map((row) => runView(row, totals.get(row.turnId) ?? null)),
    next_cursor: rows.length > limit && last !== undefined ? writeCursor(last) : null,
  };
}

const writeCursor = (row: RunRow): string => Buffer.from(`${row.createdAt.getTime()} ${row.runId}`).toString('base64url');

/** undefined where it is none. */
function readCursor(cursor: string): { readonly createdAt: Date; readonly id: string } | undefined {
  const [time, id, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (time === undefined || !/^\d{1,15}$/.test(time) || !isId('run', id) || rest.length > 0) return undefined;
  return { createdAt: new Date(Number(time)), id };
}
