import { z } from 'zod';
import type { Sql } from './sql';

/** Channel of wake-ups; the payload is run ids, parted by commas. */
export const RUN_CHANNEL = 'pilothouse_run';

/**
 * As text, because the driver cannot read a column of type void.
 *
 * Never part of a transition: a commit that notifies takes a lock that all such commits
 * share, which costs the group commit (0.37 of the rate at 16 runs).
 */
const NOTIFY = `SELECT pg_notify('${RUN_CHANNEL}', $1)::text AS told`;
const told = z.object({ told: z.string() });

/** PostgreSQL's limit is 8,000 bytes. */
const PAYLOAD_BYTES = 7_900;
const WINDOW_MS = 20;

export interface Announcer {
  announce(runIds: readonly string[]): void;
  /** Sends what is waiting, then nothing more. */
  close(): Promise<void>;
}

/**
 * Says which runs have changed, each once a window however often it changed. An aside:
 * a wake-up that is lost costs the watcher a poll and nobody else anything.
 */
export function createAnnouncer(sql: Sql): Announcer {
  let dirty = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let closed = false;

  const send = async (ids: readonly string[]): Promise<void> => {
    for (const payload of payloads(ids)) {
      await sql.rows(told, NOTIFY, payload).catch(() => undefined);
    }
  };
  const flush = (): void => {
    timer = undefined;
    const ids = [...dirty];
    dirty = new Set();
    if (ids.length > 0) sending = sending.then(() => send(ids));
  };

  return {
    announce(runIds) {
      if (closed) return;
      for (const id of runIds) dirty.add(id);
      timer ??= setTimeout(flush, WINDOW_MS);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      flush();
      await sending;
    },
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
