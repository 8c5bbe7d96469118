import { readEvents } from '@/lib/store/read-events';
import { readSession, readSessionRuns, type SessionRef } from '@/lib/store/read-session';
import type { Sql } from '@/lib/store/sql';
import { sessionHead } from './show-session';

const PAGE = 500;

/**
 * A session as JSON lines: what it is, then the logs of its runs as they are stored,
 * which is redacted (I11), in the order in which the runs began. Read page by page, as
 * fast as it is taken.
 * @returns null where the project has no such session.
 */
export async function exportSession(sql: Sql, ref: SessionRef): Promise<AsyncIterable<string> | null> {
  const session = await readSession(sql, ref);
  if (session === null) return null;
  const runs = await readSessionRuns(sql, ref);
  const head = sessionHead(session);

  async function* lines(): AsyncGenerator<string> {
    yield line({ version: '1', type: 'session', payload: head });
    for (const { runId } of runs) {
      for (let after = 0; ; ) {
        const events = await readEvents(sql, { projectId: ref.projectId, runId, after, limit: PAGE });
        if (events.length > 0) yield events.map((event) => line({ version: '1', run_id: runId, ...event })).join('');
        const last = events.at(-1);
        if (last === undefined || events.length < PAGE) break;
        after = last.seq;
      }
    }
  }
  return lines();
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
