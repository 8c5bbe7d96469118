import type { JsonValue } from '@/lib/domain/json';
import type { RunStatus } from '@/lib/domain/run/status';
import { readMessages, type MessageRow } from '@/lib/store/read-messages';
import { readSession, readSessionRuns, type SessionRef, type SessionRow, type SessionRunRow } from '@/lib/store/read-session';
import type { Sql } from '@/lib/store/sql';
import { readCursor, writeCursor } from './page-cursor';

export interface SessionRunView {
  readonly id: string;
  readonly task_id: string;
  readonly parent_run_id: string | null;
  readonly generation: number;
  readonly status: RunStatus;
  readonly exit_code: number | null;
  readonly last_seq: number;
  readonly created_at: string;
  readonly ended_at: string | null;
}

export interface TurnView {
  readonly id: string;
  readonly number: number;
  readonly opened_by: string;
  /** The message that opened it. */
  readonly text: string;
  readonly created_at: string;
  readonly superseded_at: string | null;
  readonly runs: readonly SessionRunView[];
}

export interface MessageView {
  readonly turn_number: number;
  readonly generation: number;
  readonly seq: number;
  readonly run_id: string;
  readonly role: string;
  readonly content: JsonValue;
  readonly created_at: string;
}

export interface SessionHead {
  readonly id: string;
  readonly project: string;
  readonly workspace: string;
  /** Where a clone came from. */
  readonly repository: { readonly location: string; readonly ref: string | null } | null;
  readonly access: string;
  readonly model: string;
  readonly save_history: boolean;
  readonly history_deleted_at: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

export interface SessionView extends SessionHead {
  readonly turns: readonly TurnView[];
  /** The conversation of the root task, oldest first. */
  readonly messages: { readonly items: readonly MessageView[]; readonly next_cursor: string | null };
}

const NUMBER = /^\d{1,15}$/;

/**
 * One conversation: its turns with their runs, and a page of what was said.
 * @returns null where the project has no such session; `invalid_cursor` for one that no page gave.
 */
export async function showSession(
  sql: Sql,
  ref: SessionRef,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<SessionView | 'invalid_cursor' | null> {
  const cursor = page.cursor === undefined ? ['0', '0', '0'] : readCursor(page.cursor, NUMBER, NUMBER, NUMBER);
  if (cursor === null) return 'invalid_cursor';
  const session = await readSession(sql, ref);
  if (session === null) return null;
  const [turnNumber = 0, generation = 0, seq = 0] = cursor.map(Number);
  const [runs, messages] = await Promise.all([
    readSessionRuns(sql, ref),
    readMessages(sql, { projectId: ref.projectId, taskId: session.rootTaskId, after: { turnNumber, generation, seq }, limit: page.limit + 1 }),
  ]);
  const items = messages.slice(0, page.limit);
  const last = items.at(-1);
  const next = messages.length > page.limit && last !== undefined ? writeCursor(last.turnNumber, last.generation, last.seq) : null;
  return { ...sessionHead(session), turns: turnsOf(runs), messages: { items: items.map(messageView), next_cursor: next } };
}

/** Without its turns; null where the project has no such session. */
export async function showSessionHead(sql: Sql, ref: SessionRef): Promise<SessionHead | null> {
  const session = await readSession(sql, ref);
  return session === null ? null : sessionHead(session);
}

export const sessionHead = (session: SessionRow): SessionHead => ({
  id: session.sessionId,
  project: session.projectId,
  workspace: session.workspacePath,
  repository: session.workspaceKind === 'git' ? { location: session.workspaceLocation, ref: session.gitRef } : null,
  access: session.access,
  model: session.model,
  save_history: session.saveHistory,
  history_deleted_at: session.historyDeletedAt?.toISOString() ?? null,
  created_by: session.createdBy,
  created_at: session.createdAt.toISOString(),
});

/** Rows come turn by turn. */
function turnsOf(rows: readonly SessionRunRow[]): TurnView[] {
  const turns: (TurnView & { readonly runs: SessionRunView[] })[] = [];
  for (const row of rows) {
    let turn = turns.at(-1);
    if (turn?.id !== row.turnId) {
      turn = {
        id: row.turnId,
        number: row.turnNumber,
        opened_by: row.openedBy,
        text: row.taskText,
        created_at: row.turnCreatedAt.toISOString(),
        superseded_at: row.supersededAt?.toISOString() ?? null,
        runs: [],
      };
      turns.push(turn);
    }
    turn.runs.push(sessionRunView(row));
  }
  return turns;
}

const sessionRunView = (row: SessionRunRow): SessionRunView => ({
  id: row.runId,
  task_id: row.taskId,
  parent_run_id: row.parentRunId,
  generation: row.generation,
  status: row.status,
  exit_code: row.exitCode,
  last_seq: row.lastSeq,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});

const messageView = (row: MessageRow): MessageView => ({
  turn_number: row.turnNumber,
  generation: row.generation,
  seq: row.seq,
  run_id: row.runId,
  role: row.role,
  content: row.content,
  created_at: row.createdAt.toISOString(),
});
