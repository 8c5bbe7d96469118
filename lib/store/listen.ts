import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { RUN_CHANNEL } from './announce';
import { listenerSettings } from './connection-settings';

export interface Listener {
  /**
   * Calls `wake` when the run may have changed; with null after a reconnect, when
   * anything may have. A wake is a hint: the tables are the truth.
   * @returns ends the subscription.
   */
  subscribe(runId: string, wake: (runId: string | null) => void): () => void;
  /** Resolves when the first connection listens. Never rejects: until then nobody is woken. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

type Wake = (runId: string | null) => void;

/** Subscribes to every run. */
export const ALL_RUNS = 'all';

/** A connection that has said nothing for so long is asked, and given up when it does not answer. */
const PROBE_MS = 10_000;

/**
 * One LISTEN connection a process, whatever the number of subscribers; made again when
 * it breaks. It does not keep the process alive.
 */
export function listen(url: string): Listener {
  const subscribers = new Map<string, Set<Wake>>();
  const closing = new AbortController();
  let current: pg.Client | undefined;

  const wakeAll = (): void => {
    for (const set of subscribers.values()) for (const wake of [...set]) wake(null);
  };
  const notify = (payload: string): void => {
    for (const runId of payload.split(',')) {
      for (const key of [runId, ALL_RUNS]) for (const wake of [...(subscribers.get(key) ?? [])]) wake(runId);
    }
  };

  /** Listens until the connection ends. */
  const session = async (onListening: () => void): Promise<void> => {
    const client = new pg.Client(listenerSettings(url));
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', () => undefined); // 'end' follows
    client.on('notification', (message) => notify(message.payload ?? ''));
    current = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${RUN_CHANNEL}`);
      onListening();
      wakeAll();
      while (!closing.signal.aborted) {
        const silent = await Promise.race([ended.then(() => false), pause(PROBE_MS, closing.signal).then(() => true)]);
        if (!silent) return;
        await client.query('SELECT 1');
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  let ready: () => void = () => undefined;
  const firstTime = new Promise<void>((resolve) => (ready = resolve));
  const run = async (): Promise<void> => {
    for (let delay = 50; !closing.signal.aborted; delay = Math.min(2_000, delay * 2)) {
      await session(() => {
        delay = 50;
        ready();
      }).catch(() => undefined);
      await pause(delay, closing.signal);
    }
  };
  const running = run();

  return {
    ready: firstTime,
    subscribe(runId, wake) {
      // A new function each time: the same `wake` may be subscribed twice and ended once.
      const own: Wake = (id) => wake(id);
      const set = subscribers.get(runId) ?? new Set<Wake>();
      subscribers.set(runId, set.add(own));
      return () => {
        set.delete(own);
        if (set.size === 0 && subscribers.get(runId) === set) subscribers.delete(runId);
      };
    },
    async close() {
      closing.abort();
      ready();
      await current?.end().catch(() => undefined);
      await running;
    },
  };
}

/** Ends early, without an error, when the signal fires; does not keep the process alive. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
