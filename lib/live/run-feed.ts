/**
 * Live runs in the browser, without a framework: one connection for any number of tabs,
 * resumed exactly by a cursor per run.
 */
import type { RunId } from '@/lib/domain/id';
import { pieceFrom, streamOf, type EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { RunEvent } from '@/lib/domain/run/event';
import type { RunSummary } from './frame';
import { PieceGate } from './piece-gate';
import type { ConnectionState, Wanted } from './run-feed/connection';
import { browserEnvironment, type FeedEnvironment } from './run-feed/environment';
import type { FeedMessage } from './run-feed/messages';
import { openTransport, type Transport } from './run-feed/tabs';

/**
 * - `connecting`: for the first time. `reconnecting`: it was live; what is missed is made up for.
 * - `offline`: the browser says so; it goes on by itself.
 * - `signed_out`: the session is over; nothing is tried until the page is shown again or `retry()`.
 * - `ended`: the run's log is complete, and nothing more is awaited.
 */
export type FeedState = ConnectionState | 'ended';

/** Called at most once an animation frame each. None may throw. */
export interface RunWatcher {
  /** Each event above `after` once, in the order of the log: fold with `evolve`. */
  readonly onEvents: (events: readonly RunEvent[]) => void;
  /** Pieces without repetition; a gap in `offset` says that something is missing. None after `run.cancelling` or the end. */
  readonly onEphemeral?: (pieces: readonly EphemeralEvent[]) => void;
  readonly onState?: (state: FeedState) => void;
}

export type ProjectChange =
  | { readonly kind: 'runs'; readonly runs: readonly RunSummary[] }
  /** Something may have been missed: read the list anew. Always the first that is said. */
  | { readonly kind: 'stale' };

export interface RunFeed {
  /** @param after the last seq that the page has already. @returns ends the subscription. */
  subscribeRun(runId: RunId, after: number, watcher: RunWatcher): () => void;
  /** Changes of any run of the signed-in person's project. */
  subscribeProject(onChange: (change: ProjectChange) => void, onState?: (state: FeedState) => void): () => void;
  /** Tries again at once, after a sign-in for example. */
  retry(): void;
  close(): void;
}

/** One a page is enough. Connects when somebody subscribes. */
export function createRunFeed(environment: FeedEnvironment = browserEnvironment()): RunFeed {
  const runs = new Set<RunSubscription>();
  const projects = new Set<ProjectSubscription>();
  let transport: Transport | null = null;
  let state: ConnectionState = 'connecting';
  let framePlanned = false;
  let closed = false;

  const wanted = (): Wanted => {
    const cursors = new Map<RunId, number>();
    for (const run of runs) {
      if (!run.ended) cursors.set(run.runId, Math.min(run.seq, cursors.get(run.runId) ?? run.seq));
    }
    return { runs: cursors, project: projects.size > 0 };
  };
  /** Said when it was asked for; said again, now and then, in case that was not heard. */
  const lacking = (): boolean => {
    const since = environment.now() - LACKING_MS;
    return [...runs].map((run) => run.asksAgain(since, environment.now())).includes(true);
  };
  const planFrame = (): void => {
    if (framePlanned || closed) return;
    framePlanned = true;
    environment.nextFrame(() => {
      framePlanned = false;
      if (closed) return;
      for (const subscription of [...runs, ...projects]) subscription.flush(state);
    });
  };
  const take = (message: FeedMessage): void => {
    switch (message.kind) {
      case 'event':
      case 'piece':
      case 'ended':
        for (const run of runs) if (run.runId === message.runId) run.take(message);
        if (message.kind === 'ended' || lacking()) transport?.changed();
        return;
      case 'runs':
        // What was added to a log after its end is fetched, and ended again.
        if (message.runs.map((summary) => reopen(runs, summary)).includes(true)) transport?.changed();
        for (const project of projects) project.take(message);
        return;
      case 'stale':
        for (const project of projects) project.take(message);
    }
  };
  const changed = (): void => {
    planFrame();
    if (transport !== null) transport.changed();
    else if (!closed) {
      transport = openTransport({
        environment,
        wanted,
        onMessages(messages) {
          messages.forEach(take);
          planFrame();
        },
        onState(next) {
          state = next;
          planFrame();
        },
      });
    }
  };
  const enter = <T>(set: Set<T>, subscription: T): (() => void) => {
    set.add(subscription);
    changed();
    return () => {
      if (set.delete(subscription)) transport?.changed();
    };
  };

  return {
    subscribeRun: (runId, after, watcher) => enter(runs, new RunSubscription(runId, after, watcher)),
    subscribeProject: (onChange, onState) => enter(projects, new ProjectSubscription(onChange, onState)),
    retry: () => transport?.retry(),
    close() {
      closed = true;
      transport?.close();
    },
  };
}

function reopen(runs: ReadonlySet<RunSubscription>, { id, last_seq }: RunSummary): boolean {
  const behind = [...runs].filter((run) => run.runId === id && run.ended && run.seq < last_seq);
  for (const run of behind) run.ended = false;
  return behind.length > 0;
}

class RunSubscription {
  ended = false;
  #seq: number;
  readonly #gate = new PieceGate();
  /** Where each stream of pieces goes on. */
  readonly #offsets = new Map<string, number>();
  #events: RunEvent[] = [];
  #pieces: EphemeralEvent[] = [];
  #shown: FeedState | null = null;
  #lacks = false;
  #askedAt = -Infinity;

  constructor(
    readonly runId: RunId,
    after: number,
    private readonly watcher: RunWatcher,
  ) {
    this.#seq = after;
  }

  get seq(): number {
    return this.#seq;
  }

  take(message: Extract<FeedMessage, { runId: RunId }>): void {
    if (message.kind === 'ended') this.ended ||= this.#seq >= message.seq;
    else if (message.kind === 'piece') this.#takePiece(message.piece);
    else if (message.follows > this.#seq) this.#lacks = true;
    else if (message.seq > this.#seq) {
      this.#seq = message.seq;
      this.#lacks = false;
      if (message.event === null) return;
      this.#gate.see(message.event);
      this.#events.push(message.event);
    }
  }

  /** Whether what comes is not what it waits for, and was not asked for since. */
  asksAgain(since: number, now: number): boolean {
    if (!this.#lacks || this.#askedAt > since) return false;
    this.#askedAt = now;
    return true;
  }

  flush(connection: ConnectionState): void {
    const [events, pieces] = [this.#events, this.#pieces];
    this.#events = [];
    this.#pieces = [];
    if (events.length > 0) this.watcher.onEvents(events);
    // What was settled since they came is in the events, whole.
    const open = pieces.filter((piece) => this.#gate.admits(piece));
    if (open.length > 0) this.watcher.onEphemeral?.(open);
    const state = this.ended ? 'ended' : connection;
    if (state === this.#shown) return;
    this.#shown = state;
    this.watcher.onState?.(state);
  }

  #takePiece(piece: EphemeralEvent): void {
    if (!this.#gate.admits(piece)) return;
    const stream = streamOf(piece);
    const { offset, text } = piece.payload;
    const from = this.#offsets.get(stream) ?? 0;
    if (offset + text.length <= from) return;
    this.#offsets.set(stream, offset + text.length);
    this.#pieces.push(offset < from ? pieceFrom(piece, from) : piece);
    const [oldest] = this.#offsets.keys();
    if (this.#offsets.size > STREAMS_REMEMBERED && oldest !== undefined) this.#offsets.delete(oldest);
  }
}

const LACKING_MS = 2_000;

/** More than run at the same time; a run has many one after the other. */
const STREAMS_REMEMBERED = 64;

class ProjectSubscription {
  #runs = new Map<RunId, RunSummary>();
  #stale = false;
  #begun = false;
  #shown: FeedState | null = null;

  constructor(
    private readonly onChange: (change: ProjectChange) => void,
    private readonly onState?: (state: FeedState) => void,
  ) {}

  take(message: Extract<FeedMessage, { kind: 'runs' | 'stale' }>): void {
    if (message.kind === 'stale') this.#stale = true;
    else for (const run of message.runs) this.#runs.set(run.id, run);
  }

  flush(connection: ConnectionState): void {
    // The page's list is older than this subscription, whoever had the connection before.
    if (!this.#begun && connection === 'live') this.#stale = true;
    this.#begun ||= this.#stale;
    if (this.#stale) this.onChange({ kind: 'stale' });
    else if (this.#runs.size > 0) this.onChange({ kind: 'runs', runs: [...this.#runs.values()] });
    this.#stale = false;
    this.#runs = new Map();
    if (connection === this.#shown) return;
    this.#shown = connection;
    this.onState?.(connection);
  }
}
