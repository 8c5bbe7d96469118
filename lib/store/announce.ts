import { z } from 'zod';
import { notifyStatement, PAYLOAD_BYTES, type Channel } from './channels';
import { openWindow } from './send-window';
import type { Sql } from './sql';

const told = z.object({ told: z.string() });
const WINDOW_MS = 20;

export interface Announcer {
  announce(runIds: readonly string[]): void;
  /** Sends what is waiting, then nothing more. */
  close(): Promise<void>;
}

/**
 * Says which runs have changed, or want a worker: each once a window, however often it
 * is said. An aside: a wake-up that is lost costs its reader a poll and nobody else
 * anything.
 *
 * Never part of a transition: a commit that notifies takes a lock that all such commits
 * share, which costs the group commit (0.37 of the rate at 16 runs).
 */
export function createAnnouncer(sql: Sql, channel: Extract<Channel, 'run' | 'work'>): Announcer {
  const statement = notifyStatement(channel);
  let named = new Set<string>();
  const window = openWindow(WINDOW_MS, async () => {
    const ids = [...named];
    named = new Set();
    if (ids.length > 0) await sql.rows(told, statement, payloads(ids));
  });
  return {
    announce(runIds) {
      for (const id of runIds) named.add(id);
      if (runIds.length > 0) window.ask();
    },
    close: () => window.close(),
  };
}

function payloads(ids: readonly string[]): string[] {
  const result: string[] = [];
  let payload = '';
  for (const id of ids) {
    if (payload !== '' && payload.length + 1 + id.length > PAYLOAD_BYTES) {
      result.push(payload);
      payload = '';
    }
    payload += payload === '' ? id : `,${id}`;
  }
  return payload === '' ? result : [...result, payload];
}
