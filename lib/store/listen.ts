import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { CHANNELS, type Channel } from './channels';
import { listenerSettings } from './connection-settings';
import { readPieces } from './publish-ephemeral';

/** Called with null when anything may have changed: after listening began, and began again. */
export type Wake = (runId: string | null) => void;

export interface Listener {
  /**
   * Calls `wake` when the run may have changed. A wake is a hint: the tables are the
   * truth. Who reads after a wake with null misses nothing.
   * @param runId or ALL_RUNS.
   * @returns ends the subscription.
   */
  subscribe(runId: string, wake: Wake): () => void;
  /** Calls `wake` when something waits to be claimed, or when a command from outside has changed a run. */
  onWork(wake: Wake): () => void;
  /** Pieces of the run as they come; what comes while nobody listens is gone. */
  onPieces(runId: string, take: (piece: EphemeralEvent) => void): () => void;
  /** Resolves when the first connection listens to what was subscribed by then. Never rejects: until then nobody is woken. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Subscribes to every run. */
export const ALL_RUNS = 'all';

/** A connection that has said nothing for so long is asked, and given up when it does not answer. */
const PROBE_MS = 10_000;

/**
 * One LISTEN connection a process, whatever the number of subscribers; made again when
 * it breaks. It hears only the channels that somebody here has asked for, and it does
 * not keep the process alive.
 */
export function listen(url: string): Listener {
  const runs = new Subscribers<Wake>();
  const work = new Subscribers<Wake>();
  const pieces = new Subscribers<(piece: EphemeralEvent) => void>();
  const wanted = new Set<Channel>();
  const closing = new AbortController();
  let current: pg.Client | undefined;

  const hear: Readonly<Record<Channel, (payload: string) => void>> = {
    run(payload) {
      for (const id of payload.split(',')) for (const wake of [...runs.of(id), ...runs.of(ALL_RUNS)]) wake(id);
    },
    work(payload) {
      for (const id of payload.split(',')) for (const wake of work.of(ALL_RUNS)) wake(id);
    },
    piece(payload) {
      for (const { runId, event } of readPieces(payload)) for (const take of pieces.of(runId)) take(event);
    },
  };
  /** Whatever was said before is not known here. */
  const begun: Readonly<Record<Channel, () => void>> = {
    run: () => runs.all().forEach((wake) => wake(null)),
    work: () => work.all().forEach((wake) => wake(null)),
    piece: () => undefined,
  };
  const listenTo = async (client: pg.Client, channel: Channel): Promise<void> => {
    await client.query(`LISTEN ${CHANNELS[channel]}`);
    begun[channel]();
  };
  const want = (channel: Channel): void => {
    if (wanted.has(channel)) return;
    wanted.add(channel);
    const client = current;
    // The next connection listens to all that is wanted.
    if (client !== undefined) listenTo(client, channel).catch(() => client.end().catch(() => undefined));
  };

  /** Listens until the connection ends. */
  const session = async (onListening: () => void): Promise<void> => {
    const client = new pg.Client(listenerSettings(url));
    const over = new AbortController();
    client.once('end', () => over.abort());
    client.on('error', () => undefined); // 'end' follows
    client.on('notification', ({ channel, payload = '' }) => {
      for (const [key, name] of Object.entries(CHANNELS)) if (name === channel) hear[key as Channel](payload);
    });
    const end = (): void => {
      over.abort();
      client.end().catch(() => undefined);
    };
    closing.signal.addEventListener('abort', end);
    try {
      await client.connect();
      current = client;
      for (const channel of [...wanted]) await listenTo(client, channel);
      onListening();
      for (;;) {
        await pause(PROBE_MS, over.signal);
        if (over.signal.aborted) return;
        await client.query('SELECT 1');
      }
    } finally {
      current = undefined;
      closing.signal.removeEventListener('abort', end);
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
      want('run');
      return runs.add(runId, wake);
    },
    onWork(wake) {
      want('work');
      return work.add(ALL_RUNS, wake);
    },
    onPieces(runId, take) {
      want('piece');
      return pieces.add(runId, take);
    },
    async close() {
      closing.abort();
      ready();
      await running;
    },
  };
}

class Subscribers<T> {
  readonly #byKey = new Map<string, Set<{ readonly call: T }>>();

  /** The same function may be added twice and ended once. */
  add(key: string, call: T): () => void {
    const own = { call };
    const set = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, set.add(own));
    return () => {
      set.delete(own);
      if (set.size === 0 && this.#byKey.get(key) === set) this.#byKey.delete(key);
    };
  }

  /** A copy: who is called may end its subscription. */
  of(key: string): T[] {
    return [...(this.#byKey.get(key) ?? [])].map(({ call }) => call);
  }

  all(): T[] {
    return [...this.#byKey.values()].flatMap((set) => [...set].map(({ call }) => call));
  }
}

/** Ends early, without an error, when the signal fires; does not keep the process alive. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
