/**
 * One stream from the server, kept alive, and changed when something else is wanted.
 *
 * | state        | entered                                | what is tried                          |
 * |--------------|----------------------------------------|----------------------------------------|
 * | connecting   | at first                               | at once, then ever later               |
 * | live         | `stream.open` came                     | –                                      |
 * | reconnecting | the stream broke, or fell silent       | soon, then ever later                  |
 * | offline      | the same, and the browser is offline   | the same, and at once when it is online|
 * | signed_out   | the server refused, and says it is us  | only when asked, or shown again        |
 *
 * A stream that is replaced stays until its successor is open. Only the newest moves
 * the cursors: an older one may be ahead of what somebody still lacks.
 */
import type { RunId } from '@/lib/domain/id';
import { formatCursors } from '../stream-request';
import { CLOSED, type EventSourceLike, type FeedEnvironment } from './environment';
import { readMessage, readSignal, TOLD_SIGNALS, type FeedMessage } from './messages';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'signed_out';

export interface Wanted {
  /** With the last seq that is there; lower than what was delivered: bring it again. */
  readonly runs: ReadonlyMap<RunId, number>;
  readonly project: boolean;
}

export interface ConnectionParts {
  readonly environment: FeedEnvironment;
  readonly onMessages: (messages: readonly FeedMessage[]) => void;
  readonly onState: (state: ConnectionState) => void;
}

export const STREAM_PATH = '/api/v1/stream';

/** A page that goes from one run to the next says so in two steps. */
const SETTLE_MS = 30;
/** The server is heard every 15 s. */
const SILENCE_MS = 40_000;
const CHECK_MS = 10_000;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 15_000;
/** A connection that held so long was a good one. */
const GOOD_MS = 5_000;

interface Stream {
  readonly source: EventSourceLike;
  /** What it carries, each run with the last seq that it brought. */
  readonly runs: Map<RunId, number>;
  readonly project: boolean;
  /** Opened while another watched the same list: nothing of it was missed. */
  readonly seamless: boolean;
  saidStale: boolean;
  openedAt: number | null;
}

export class Connection {
  #state: ConnectionState = 'connecting';
  #wanted: { readonly runs: ReadonlySet<RunId>; readonly project: boolean } = { runs: new Set(), project: false };
  readonly #cursors = new Map<RunId, number>();
  /** Read to their end, and not asked for since. */
  readonly #ended = new Set<RunId>();
  /** Somebody lacks what the newest stream has passed. */
  #behind = false;
  #live: Stream | null = null;
  #next: Stream | null = null;
  #newest: Stream | null = null;
  #attempts = 0;
  #heardAt: number;
  #cancelSettle: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  readonly #ends: (() => void)[];
  #closed = false;

  constructor(private readonly parts: ConnectionParts) {
    const { environment } = parts;
    this.#heardAt = environment.now();
    this.#ends = [environment.every(CHECK_MS, () => this.#check())];
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** @param lacking of `runs`, those whose cursors are to be believed: who asks for them has no more. */
  want({ runs, project }: Wanted, lacking: Iterable<RunId> = runs.keys()): void {
    for (const runId of lacking) {
      const asked = runs.get(runId);
      if (asked === undefined) continue;
      this.#ended.delete(runId);
      const known = this.#cursors.get(runId);
      if (known !== undefined && asked < known && this.#newest?.runs.has(runId) === true) {
        this.#behind = true;
        this.#newest = null; // or it would move the cursor past what is lacked
      }
      this.#cursors.set(runId, Math.min(asked, known ?? asked));
    }
    for (const runId of this.#cursors.keys()) {
      if (runs.has(runId)) continue;
      this.#cursors.delete(runId);
      this.#ended.delete(runId);
    }
    this.#wanted = { runs: new Set(runs.keys()), project };
    this.#settle();
  }

  /** Somebody looks, or the network is back: is it still what it seems? */
  look(): void {
    this.#check();
    if (this.#cancelRetry !== null || this.#state === 'signed_out') this.retry();
  }

  retry(): void {
    this.#attempts = 0;
    if (this.#live === null && this.#next === null) this.#open();
  }

  close(): void {
    this.#closed = true;
    for (const end of this.#ends) end();
    this.#cancelTimers();
    this.#drop();
  }

  #settle(): void {
    this.#cancelSettle ??= this.parts.environment.after(SETTLE_MS, () => {
      this.#cancelSettle = null;
      this.#replace();
    });
  }

  /** What is still to be watched. */
  #due(): { readonly runs: ReadonlySet<RunId>; readonly project: boolean } {
    const { runs, project } = this.#wanted;
    return { runs: new Set([...runs].filter((runId) => !this.#ended.has(runId))), project };
  }

  /** Opens what is wanted now, where that is not what is open or being opened. */
  #replace(): void {
    const { runs, project } = this.#due();
    if (runs.size === 0 && !project) {
      this.#cancelTimers();
      this.#drop();
      return;
    }
    const current = this.#next ?? this.#live;
    if (current !== null && !this.#behind && current.project === project && sameRuns(current.runs, runs)) return;
    // While it waits to be tried again, or for a sign-in, the next attempt takes what is wanted then.
    if (current === null && (this.#cancelRetry !== null || this.#state === 'signed_out')) return;
    this.#open();
  }

  #open(): void {
    this.#cancelTimers();
    const { runs, project } = this.#due();
    if (this.#closed || (runs.size === 0 && !project)) return;
    this.#next?.source.close();
    this.#behind = false;
    const cursors = new Map([...runs].map((runId) => [runId, this.#cursors.get(runId) ?? 0] as const));
    const source = this.parts.environment.openSource(urlOf(cursors, project));
    const seamless = project && this.#live?.project === true;
    const stream: Stream = { source, runs: cursors, project, seamless, saidStale: false, openedAt: null };
    this.#next = this.#newest = stream;
    this.#heardAt = this.parts.environment.now();
    if (this.#live === null && this.#state !== 'connecting') this.#enter('reconnecting');
    this.#listen(stream);
  }

  #listen(stream: Stream): void {
    const { source } = stream;
    const on = (type: string, listener: (data: string) => void): void => {
      source.addEventListener(type, ({ data }) => {
        if (stream !== this.#live && stream !== this.#next) return;
        this.#heardAt = this.parts.environment.now();
        listener(typeof data === 'string' ? data : '');
      });
    };
    on('message', (data) => {
      const message = readMessage(data, stream.runs);
      if (message === null) return;
      if (message.kind === 'event' && stream === this.#newest) this.#move(message.runId, message.seq);
      this.parts.onMessages([message]);
    });
    for (const signal of TOLD_SIGNALS) {
      on(signal, (data) => {
        const message = readSignal(signal, data);
        if (message.kind === 'ended') {
          stream.runs.delete(message.runId);
          // Not for one who has come meanwhile, and lacks what this stream passed before.
          if ((this.#cursors.get(message.runId) ?? 0) >= message.seq) this.#ended.add(message.runId);
          this.#settle(); // nothing may be left to watch
        }
        if (message.kind === 'stale' && this.#isFirstOf(stream)) return;
        this.parts.onMessages([message]);
      });
    }
    on('stream.heartbeat', () => undefined);
    on('stream.open', () => this.#opened(stream));
    on('stream.revoked', () => void this.#refused(stream));
    source.addEventListener('error', () => {
      if (stream !== this.#live && stream !== this.#next) return;
      if (source.readyState === CLOSED) void this.#refused(stream);
      else this.#broken(stream);
    });
  }

  /** Every stream begins by calling the list stale; the one that took over from another need not. */
  #isFirstOf(stream: Stream): boolean {
    const first = stream.seamless && !stream.saidStale;
    stream.saidStale = true;
    return first;
  }

  #move(runId: RunId, seq: number): void {
    const known = this.#cursors.get(runId);
    if (known !== undefined && seq > known) this.#cursors.set(runId, seq);
  }

  #opened(stream: Stream): void {
    if (stream !== this.#next) return;
    // Where the old one broke before, there was a gap after all.
    if (this.#live === null && stream.seamless) this.parts.onMessages([{ kind: 'stale' }]);
    this.#live?.source.close();
    this.#live = stream;
    this.#next = null;
    stream.openedAt = this.parts.environment.now();
    this.#enter('live');
  }

  /** Not by the network: an answer that is no stream, or the end of a right. */
  async #refused(stream: Stream): Promise<void> {
    this.#lose(stream);
    const answer = await this.parts.environment.probe(STREAM_PATH);
    if (this.#closed || this.#live !== null || this.#next !== null) return;
    if (answer === 'signed_out') this.#enter('signed_out');
    else this.#retryLater();
  }

  #broken(stream: Stream): void {
    this.#lose(stream);
    if (this.#next === null) this.#retryLater();
  }

  #lose(stream: Stream): void {
    stream.source.close();
    if (stream.openedAt !== null && this.parts.environment.now() - stream.openedAt >= GOOD_MS) this.#attempts = 0;
    if (this.#next === stream) this.#next = null;
    if (this.#live === stream) this.#live = null;
  }

  #retryLater(): void {
    const { environment } = this.parts;
    if (this.#live === null) {
      if (!environment.isOnline()) this.#enter('offline');
      else if (this.#state !== 'connecting') this.#enter('reconnecting');
    }
    const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts);
    this.#attempts += 1;
    this.#cancelRetry?.();
    // A server that restarts must not meet all its browsers at once.
    this.#cancelRetry = environment.after(longest * (0.5 + environment.random() / 2), () => {
      this.#cancelRetry = null;
      this.#open();
    });
  }

  #check(): void {
    if (this.parts.environment.now() - this.#heardAt <= SILENCE_MS) return;
    for (const stream of [this.#live, this.#next]) if (stream !== null) this.#broken(stream);
  }

  #drop(): void {
    this.#live?.source.close();
    this.#next?.source.close();
    this.#live = this.#next = null;
  }

  #cancelTimers(): void {
    this.#cancelSettle?.();
    this.#cancelRetry?.();
    this.#cancelSettle = this.#cancelRetry = null;
  }

  #enter(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.parts.onState(state);
  }
}

function urlOf(runs: ReadonlyMap<RunId, number>, project: boolean): string {
  const cursors = [...runs].map(([runId, after]) => ({ runId, after }));
  return `${STREAM_PATH}?runs=${formatCursors(cursors)}&project=${project ? 1 : 0}`;
}

const sameRuns = (one: ReadonlyMap<RunId, number>, other: ReadonlySet<RunId>): boolean =>
  one.size === other.size && [...one.keys()].every((runId) => other.has(runId));
