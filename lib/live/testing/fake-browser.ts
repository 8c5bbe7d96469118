/** A browser with several tabs and a server with a log, for tests of the feed. Time is the test's: use fake timers. */
import type { RunId } from '@/lib/domain/id';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { EventSourceLike, FeedEnvironment, PageEvent, SharedLike } from '../run-feed/environment';
import { parseCursors } from '../stream-request';

type Listener = (event: { readonly data?: unknown }) => void;

export class FakeSource implements EventSourceLike {
  readyState = 0;
  readonly runs: Map<RunId, number>;
  readonly project: boolean;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(
    readonly url: string,
    private readonly onClose: () => void,
  ) {
    const { searchParams } = new URL(url, 'http://localhost');
    const cursors = parseCursors(searchParams.get('runs') ?? '');
    if (cursors === null) throw new Error(`the server would refuse ${url}`);
    this.runs = new Map(cursors.map(({ runId, after }) => [runId, after]));
    this.project = searchParams.get('project') === '1';
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  say(type: string, data: unknown = {}): void {
    if (this.readyState === 2) return;
    for (const listener of this.#listeners.get(type) ?? []) listener({ data: JSON.stringify(data) });
  }

  /** As the browser says it: by the network (it would try again), or for good. */
  fail(how: 'broken' | 'refused'): void {
    if (this.readyState === 2) return;
    this.readyState = how === 'broken' ? 0 : 2;
    for (const listener of this.#listeners.get('error') ?? []) listener({});
  }

  close(): void {
    this.readyState = 2;
    this.onClose();
  }
}

export class FakeServer {
  readonly sources = new Set<FakeSource>();
  readonly opened: FakeSource[] = [];
  readonly #logs = new Map<RunId, number>();
  readonly #ended = new Set<RunId>();
  state: 'up' | 'down' | 'refusing' = 'up';
  signedIn = true;

  open(url: string): FakeSource {
    const source: FakeSource = new FakeSource(url, () => this.sources.delete(source));
    this.sources.add(source);
    this.opened.push(source);
    setTimeout(() => this.#answer(source), 5);
    return source;
  }

  /** Appends events to a run's log. */
  append(runId: RunId, count = 1): void {
    this.#logs.set(runId, (this.#logs.get(runId) ?? 0) + count);
    for (const source of this.sources) if (source.readyState === 1) this.#send(source, runId);
  }

  end(runId: RunId): void {
    this.append(runId);
    this.#ended.add(runId);
    for (const source of this.sources) this.#end(source, runId);
  }

  publish(runId: RunId, piece: EphemeralEvent): void {
    for (const source of this.sources) {
      if (source.readyState === 1 && source.runs.has(runId)) source.say('message', { version: '1', run_id: runId, timestamp: '', ...piece });
    }
  }

  /** Breaks every connection; what is tried meanwhile fails. */
  goDown(): void {
    this.state = 'down';
    for (const source of [...this.sources]) source.fail('broken');
  }

  last(runId: RunId): number {
    return this.#logs.get(runId) ?? 0;
  }

  #answer(source: FakeSource): void {
    if (source.readyState === 2) return;
    if (this.state === 'down') return source.fail('broken');
    if (this.state === 'refusing' || !this.signedIn) return source.fail('refused');
    source.readyState = 1;
    source.say('stream.open', { runs: [...source.runs.keys()] });
    if (source.project) source.say('runs.stale');
    for (const runId of [...source.runs.keys()]) {
      this.#send(source, runId);
      if (this.#ended.has(runId)) this.#end(source, runId);
    }
  }

  #send(source: FakeSource, runId: RunId): void {
    const after = source.runs.get(runId);
    if (after === undefined) return;
    for (let seq = after + 1; seq <= this.last(runId); seq += 1) source.say('message', eventOnWire(runId, seq));
    if (source.runs.has(runId)) source.runs.set(runId, this.last(runId));
  }

  #end(source: FakeSource, runId: RunId): void {
    const seq = source.runs.get(runId);
    if (source.readyState === 1 && source.runs.delete(runId)) source.say('run.ended', { run_id: runId, seq });
  }
}

const eventOnWire = (runId: RunId, seq: number) => ({
  version: '1',
  run_id: runId,
  seq,
  timestamp: '2030-01-01T00:00:00.000Z',
  type: 'run.waiting',
  payload: { reason: 'budget' },
});

/** Locks and channels, as tabs of one browser have them. */
class Shared {
  readonly #queues = new Map<string, Request[]>();
  readonly #channels = new Map<string, Set<Mailbox>>();
  readonly frozen = new Set<string>();
  /** How long a tab's requests for locks are on their way, as on a busy machine. */
  readonly lateBy = new Map<string, number>();

  of(tab: string): SharedLike {
    return {
      openChannel: (name) => {
        const peers = this.#channels.get(name) ?? new Set<Mailbox>();
        this.#channels.set(name, peers);
        const mailbox: Mailbox = { tab, listeners: [] };
        peers.add(mailbox);
        return {
          post: (message) => {
            for (const peer of peers) {
              if (peer === mailbox || this.frozen.has(peer.tab)) continue;
              const copy: unknown = structuredClone(message);
              setTimeout(() => peers.has(peer) && peer.listeners.forEach((listener) => listener(copy)), 1);
            }
          },
          onMessage: (listener) => mailbox.listeners.push(listener),
          close: () => peers.delete(mailbox),
        };
      },
      lock: (name, { steal, signal }, held) =>
        new Promise<void>((resolve) => {
          const request: Request = { tab, held, resolve };
          const queue = this.#queues.get(name) ?? [];
          this.#queues.set(name, queue);
          signal?.addEventListener('abort', () => {
            if (queue.indexOf(request) > 0) queue.splice(queue.indexOf(request), 1);
            if (queue[0] !== request) resolve();
          });
          const arrive = (): void => {
            if (steal) {
              queue.shift()?.resolve();
              queue.unshift(request);
              this.#give(queue);
            } else if (queue.push(request) === 1) this.#give(queue);
          };
          const late = this.lateBy.get(tab);
          if (late === undefined) arrive();
          else setTimeout(arrive, late);
        }),
    };
  }

  /** A tab that is gone, without a word. */
  kill(tab: string): void {
    for (const queue of this.#queues.values()) {
      const holds = queue[0]?.tab === tab;
      for (const request of [...queue]) if (request.tab === tab) queue.splice(queue.indexOf(request), 1);
      if (holds) this.#give(queue);
    }
    for (const peers of this.#channels.values()) for (const peer of peers) if (peer.tab === tab) peers.delete(peer);
  }

  #give(queue: Request[]): void {
    const request = queue[0];
    if (request === undefined) return;
    setTimeout(() => {
      if (queue[0] !== request) return;
      void request.held().then(() => {
        if (queue[0] !== request) return;
        queue.shift();
        request.resolve();
        this.#give(queue);
      });
    }, 1);
  }
}

interface Request {
  readonly tab: string;
  readonly held: () => Promise<void>;
  readonly resolve: () => void;
}
interface Mailbox {
  readonly tab: string;
  readonly listeners: ((message: unknown) => void)[];
}

export class FakeBrowser {
  readonly #shared = new Shared();
  readonly #pages = new Map<string, { readonly listeners: Set<(event: PageEvent) => void>; visible: boolean; dead: boolean }>();
  #tabs = 0;
  online = true;

  constructor(
    readonly server: FakeServer,
    private readonly options: { readonly sharesTabs: boolean } = { sharesTabs: true },
  ) {}

  /** @param lateBy ms that its requests for locks are on their way. */
  openTab({ lateBy }: { readonly lateBy?: number } = {}): { readonly tab: string; readonly environment: FeedEnvironment } {
    this.#tabs += 1;
    const tab = `tab-${this.#tabs}`;
    if (lateBy !== undefined) this.#shared.lateBy.set(tab, lateBy);
    const page = { listeners: new Set<(event: PageEvent) => void>(), visible: true, dead: false };
    this.#pages.set(tab, page);
    const alive = (call: () => void) => () => {
      if (!page.dead && !this.#shared.frozen.has(tab)) call();
    };
    const environment: FeedEnvironment = {
      openSource: (url) => this.server.open(url),
      probe: async () => (this.server.state === 'down' ? 'unknown' : this.server.signedIn ? 'allowed' : 'signed_out'),
      shared: this.options.sharesTabs ? this.#shared.of(tab) : null,
      now: () => Date.now(),
      random: () => 0.5,
      newTabId: () => tab,
      after: (ms, call) => {
        const timer = setTimeout(alive(call), ms);
        return () => clearTimeout(timer);
      },
      every: (ms, call) => {
        const timer = setInterval(alive(call), ms);
        return () => clearInterval(timer);
      },
      nextFrame: (call) => void setTimeout(alive(call), 16),
      isVisible: () => page.visible,
      isOnline: () => this.online,
      onPage: (listener) => {
        page.listeners.add(listener);
        return () => page.listeners.delete(listener);
      },
    };
    return { tab, environment };
  }

  tell(tab: string, event: PageEvent): void {
    const page = this.#pages.get(tab);
    if (page === undefined) return;
    if (event === 'shown' || event === 'hidden') page.visible = event === 'shown';
    for (const listener of page.listeners) listener(event);
  }

  /** The tab runs no code and gets no message, but keeps its locks. */
  freeze(tab: string): void {
    this.#shared.frozen.add(tab);
  }

  thaw(tab: string): void {
    this.#shared.frozen.delete(tab);
  }

  kill(tab: string): void {
    const page = this.#pages.get(tab);
    if (page !== undefined) page.dead = true;
    this.#shared.kill(tab);
  }
}
