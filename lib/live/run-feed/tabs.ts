/**
 * Longer than other files: leading and following are one protocol, and read as one.
 *
 * One connection for all tabs of a browser: HTTP/1.1 allows six a host, and with one
 * stream a tab the eighth page would not load.
 *
 * The tab that holds the lock has the connection and passes on what it hears; the lock
 * falls to another when it is closed. Each tab says what it wants, with its own cursors,
 * so that the next leader goes on exactly where every one of them is. A tab that is
 * looked at and hears nothing from a leader (it was frozen, say) takes the lock from it.
 *
 * Why not a SharedWorker: it would need a script of its own from the bundler, and some
 * browsers have none.
 */
import type { RunId } from '@/lib/domain/id';
import { Connection, type ConnectionState, type Wanted } from './connection';
import type { ChannelLike, FeedEnvironment, SharedLike } from './environment';
import type { FeedMessage } from './messages';

export interface Transport {
  /** Something else is wanted now. */
  changed(): void;
  retry(): void;
  close(): void;
}

export interface TransportParts {
  readonly environment: FeedEnvironment;
  /** All that this tab wants at this moment, each run with the last seq that it has. */
  readonly wanted: () => Wanted;
  readonly onMessages: (messages: readonly FeedMessage[]) => void;
  readonly onState: (state: ConnectionState) => void;
}

const NAME = 'pilothouse-feed';
/** A leader that is alive answers at once. */
const ANSWER_MS = 3_000;
const BEAT_MS = 10_000;
/** Of a hidden page without others: it gives its place among the six back. */
const HIDDEN_MS = 5_000;

type TabMessage =
  | { readonly kind: 'want'; readonly tab: string; readonly wanted: Wanted }
  | { readonly kind: 'gone'; readonly tab: string }
  | { readonly kind: 'ask' | 'look' | 'retry'; readonly tab: string }
  /** A new leader: say what you want. */
  | { readonly kind: 'leads'; readonly leader: string }
  | { readonly kind: 'state'; readonly leader: string; readonly state: ConnectionState }
  | { readonly kind: 'messages'; readonly leader: string; readonly messages: readonly FeedMessage[] };

export function openTransport(parts: TransportParts): Transport {
  const { shared } = parts.environment;
  return shared === null ? alone(parts) : new Tab(parts, shared);
}

/** Tabs that cannot find each other: one connection each, none while hidden. */
function alone({ environment, wanted, onMessages, onState }: TransportParts): Transport {
  let cancelHide: (() => void) | null = null;
  const connect = (): Connection => {
    const made = new Connection({ environment, onMessages, onState });
    made.want(wanted());
    return made;
  };
  let connection: Connection | null = connect();
  const endPage = environment.onPage((event) => {
    cancelHide?.();
    cancelHide = null;
    if (event === 'hidden' || event === 'leaving') {
      cancelHide = environment.after(event === 'leaving' ? 0 : HIDDEN_MS, () => {
        connection?.close();
        connection = null;
        onState('reconnecting');
      });
    } else if (connection === null) connection = connect();
    else connection.look();
  });
  return {
    changed: () => connection?.want(wanted()),
    retry: () => connection?.retry(),
    close() {
      endPage();
      cancelHide?.();
      connection?.close();
    },
  };
}

class Tab implements Transport {
  readonly #id: string;
  readonly #environment: FeedEnvironment;
  readonly #channel: ChannelLike;
  readonly #life = new AbortController();
  readonly #ends: (() => void)[];
  /** A request for the lock waits. */
  #queued = false;
  /**
   * This tab's own lock is held. Only then does it say what it wants: a leader that asks
   * for a lock which is still free takes the tab for gone, and forgets it for good.
   * (Seen on a busy machine: the first request of a page is granted late.)
   */
  #present = false;
  #leading: Leading | null = null;
  #cancelAnswer: (() => void) | null = null;

  constructor(
    private readonly parts: TransportParts,
    private readonly shared: SharedLike,
  ) {
    this.#environment = parts.environment;
    this.#id = this.#environment.newTabId();
    this.#channel = shared.openChannel(NAME);
    this.#channel.onMessage((message) => this.#hear(message as TabMessage));
    this.#ends = [
      this.#environment.onPage((event) => {
        if (event === 'leaving') this.#say({ kind: 'gone', tab: this.#id });
        else if (event !== 'hidden') this.#look('look');
        // After "gone", if the page was only put aside.
        if (event === 'shown') this.changed();
      }),
      this.#environment.every(BEAT_MS, () => this.#beat()),
    ];
    // Held for as long as this tab lives: who waits for it learns of its end.
    void shared.lock(tabLock(this.#id), { steal: false }, () => {
      this.#present = true;
      this.changed();
      return until(this.#life.signal);
    });
    this.#stand(false);
    this.#look('ask');
  }

  changed(): void {
    const wanted = this.parts.wanted();
    if (this.#leading !== null) this.#leading.want(this.#id, wanted);
    else if (this.#present) this.#say({ kind: 'want', tab: this.#id, wanted });
  }

  retry(): void {
    if (this.#leading !== null) this.#leading.connection.retry();
    else this.#say({ kind: 'retry', tab: this.#id });
  }

  close(): void {
    this.#say({ kind: 'gone', tab: this.#id });
    this.#life.abort();
    this.#cancelAnswer?.();
    for (const end of this.#ends) end();
    this.#stepDown();
    this.#channel.close();
  }

  /** Asks for the lock, and leads while it holds it. */
  #stand(steal: boolean): void {
    if (!steal && this.#queued) return;
    if (!steal) this.#queued = true;
    void this.shared
      .lock(NAME, { steal, signal: this.#life.signal }, () => {
        if (!steal) this.#queued = false;
        return this.#life.signal.aborted ? Promise.resolve() : this.#lead();
      })
      .then(() => {
        // Stolen: another leads, and this tab waits for its turn again.
        this.#stepDown();
        if (!this.#life.signal.aborted) this.#stand(false);
      });
  }

  #lead(): Promise<void> {
    this.#stepDown();
    this.#heard();
    const leading = new Leading(this.#environment, this.shared, {
      onMessages: (messages) => {
        if (leading.hasOthers) this.#say({ kind: 'messages', leader: this.#id, messages });
        this.parts.onMessages(messages);
      },
      onState: (state) => {
        this.#say({ kind: 'state', leader: this.#id, state });
        this.parts.onState(state);
      },
    });
    this.#leading = leading;
    leading.want(this.#id, this.parts.wanted());
    this.#say({ kind: 'leads', leader: this.#id });
    this.parts.onState(leading.connection.state);
    return until(this.#life.signal);
  }

  #stepDown(): void {
    this.#leading?.close();
    this.#leading = null;
  }

  #hear(message: TabMessage): void {
    switch (message.kind) {
      case 'want':
        this.#leading?.want(message.tab, message.wanted);
        return;
      case 'gone':
        this.#leading?.forget(message.tab);
        return;
      case 'ask':
      case 'look':
      case 'retry':
        if (this.#leading === null) return;
        if (message.kind === 'look') this.#leading.connection.look();
        if (message.kind === 'retry') this.#leading.connection.retry();
        this.#say({ kind: 'state', leader: this.#id, state: this.#leading.connection.state });
        return;
      case 'leads':
        this.#heard();
        this.#stepDown(); // it was stolen, and this tab has not been told yet
        this.changed();
        return;
      case 'state':
        this.#heard();
        if (this.#leading === null) this.parts.onState(message.state);
        return;
      case 'messages':
        this.#heard();
        if (this.#leading === null) this.parts.onMessages(message.messages);
    }
  }

  /** Is there a leader, and, when somebody looks at this tab, is its stream alive? */
  #look(kind: 'ask' | 'look'): void {
    if (this.#leading !== null) {
      if (kind === 'look') this.#leading.connection.look();
      return;
    }
    this.#say({ kind, tab: this.#id });
    this.#cancelAnswer ??= this.#environment.after(ANSWER_MS, () => {
      this.#cancelAnswer = null;
      if (this.#leading === null && this.#environment.isVisible()) this.#stand(true);
    });
  }

  #heard(): void {
    this.#cancelAnswer?.();
    this.#cancelAnswer = null;
  }

  #beat(): void {
    if (this.#leading !== null) this.#say({ kind: 'state', leader: this.#id, state: this.#leading.connection.state });
    else if (this.#environment.isVisible()) this.#look('ask');
  }

  #say(message: TabMessage): void {
    this.#channel.post(message);
  }
}

/** What the leading tab does for all. */
class Leading {
  readonly connection: Connection;
  readonly #wants = new Map<string, Wanted>();
  readonly #life = new AbortController();

  constructor(
    environment: FeedEnvironment,
    private readonly shared: SharedLike,
    parts: Pick<TransportParts, 'onMessages' | 'onState'>,
  ) {
    this.connection = new Connection({ environment, ...parts });
  }

  get hasOthers(): boolean {
    return this.#wants.size > 1;
  }

  want(tab: string, wanted: Wanted): void {
    if (!this.#wants.has(tab)) this.#forgetWhenGone(tab);
    this.#wants.set(tab, wanted);
    this.#tell(wanted);
  }

  forget(tab: string): void {
    if (this.#wants.delete(tab)) this.#tell(null);
  }

  close(): void {
    this.#life.abort();
    this.connection.close();
  }

  #tell(asked: Wanted | null): void {
    const all = [...this.#wants.values()];
    const runs = new Map<RunId, number>();
    for (const wanted of all) for (const [runId, after] of wanted.runs) runs.set(runId, asked?.runs.get(runId) ?? after);
    this.connection.want({ runs, project: all.some(({ project }) => project) }, asked?.runs.keys() ?? []);
  }

  /** A tab that crashes says nothing, but its lock is free then. */
  #forgetWhenGone(tab: string): void {
    void this.shared.lock(tabLock(tab), { steal: false, signal: this.#life.signal }, async () => this.forget(tab));
  }
}

const tabLock = (tab: string): string => `${NAME} ${tab}`;

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
