/** One watcher of one run: catches up from the table, then follows the channel, and knows where the stream ends. */
import { isTerminal } from '@/lib/domain/run/status';
import { readLog, type LogPage, type StoredEvent } from '@/lib/store/read-log';
import type { RunRef } from '@/lib/store/read-run';
import { eventFrame, type Frame } from '../frame';
import { endsStream, logEnded } from '../log-end';
import { PieceGate } from '../piece-gate';
import { readAgain } from './read-again';
import type { Entry, Ring } from './ring';
import { PAGE, type LiveSource, type RunChannel, type Seat } from './run-channel';

/** `ended`: the log's end was sent. `stopped`: the signal fired, or the watcher was too slow. */
export type Outcome = 'ended' | 'stopped';
export type Frames = AsyncGenerator<readonly Frame[], Outcome, void>;

interface Watch {
  readonly source: LiveSource;
  readonly ref: RunRef;
  readonly after: number;
  readonly signal: AbortSignal;
  /** Joined before anything is read, so that nothing is missed between. */
  readonly join: () => RunChannel;
}

/** Entries a batch: so that a long backlog does not become one long string. */
const BATCH = 500;

/**
 * Resolves with null where the project has no such run. The watcher's place is given
 * back when the frames end or the signal fires, whichever comes first.
 */
export async function watchRun(watch: Watch): Promise<Frames | null> {
  const { source, ref, after, signal } = watch;
  let wake: () => void = () => undefined;
  const channel = watch.join();
  const seat = channel.enter(() => wake());
  const leave = (): void => {
    signal.removeEventListener('abort', leave);
    channel.leave(seat);
    wake();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave);

  try {
    const first = await readAgain(signal, () => readLog(source.store, ref, after, PAGE));
    if (first === null) {
      leave();
      return signal.aborted ? nothing() : null;
    }
    if (logEnded(first.state)) {
      leave();
      return rest(watch, first);
    }
    // A cursor from a log that was longer once, before a restore say, must not wait for ever.
    const place = new Place(ref.runId, Math.min(after, first.state.lastSeq), first.state.isChild);
    if (first.state.status === 'cancelling' || isTerminal(first.state.status)) place.gate.shut();
    return follow(watch, place, first, { channel, seat, leave, onWake: (call) => (wake = call) });
  } catch (error) {
    leave();
    throw error;
  }
}

async function* nothing(): Frames {
  return 'stopped';
}

/** Opened after the end: what lies beyond the cursor, later facts included. */
async function* rest({ source, ref, signal }: Watch, first: LogPage): Frames {
  for (let page: LogPage | null = first; page !== null; ) {
    if (page.events.length > 0) yield page.events.map((event) => eventFrame(ref.runId, event));
    const last: StoredEvent | undefined = page.events.at(-1);
    if (last === undefined || page.events.length < PAGE) return 'ended';
    page = await readAgain(signal, () => readLog(source.store, ref, last.seq, PAGE));
  }
  return 'stopped';
}

interface Joined {
  readonly channel: RunChannel;
  readonly seat: Seat;
  readonly leave: () => void;
  readonly onWake: (wake: () => void) => void;
}

async function* follow({ source, ref, signal }: Watch, place: Place, first: LogPage, { channel, seat, leave, onWake }: Joined): Frames {
  try {
    const ring = channel.beginAfter(first.state.lastSeq);
    const stopped = (): boolean => signal.aborted || seat.dropped;
    let page: LogPage | null = first;
    while (!stopped()) {
      seat.takenAt = ring.total;
      if (page === null && place.isBehind(ring)) {
        page = await readAgain(signal, () => readLog(source.store, ref, place.seq, PAGE));
        if (page === null) break;
      }
      // Armed before looking: what is put while a batch is on its way out is not missed.
      let woken = (): void => undefined;
      const more = new Promise<void>((resolve) => (woken = resolve));
      onWake(woken);
      const frames = page === null ? place.takeFrom(ring) : place.takeEvents(page.events);
      if (page !== null && page.events.length === 0) place.skipTo(page.state.lastSeq);
      page = null;
      if (frames.length > 0) yield frames;
      if (place.ended) return 'ended';
      if (frames.length === 0 && !place.hasMore(ring) && !stopped()) {
        seat.idle = true;
        await more;
        seat.idle = false;
      }
    }
    return 'stopped';
  } finally {
    leave();
  }
}

/** How far a watcher is. */
class Place {
  readonly gate = new PieceGate();
  #seq: number;
  #position: number | null = null;
  #ended = false;

  constructor(
    private readonly runId: string,
    after: number,
    private readonly isChild: boolean,
  ) {
    this.#seq = after;
  }

  get seq(): number {
    return this.#seq;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The ring holds no longer, or not yet, what comes next. */
  isBehind(ring: Ring): boolean {
    if (this.#position !== null && ring.from(this.#position, 0) === null) this.#position = null;
    return this.#position === null && this.#seq < ring.beginsAfter;
  }

  hasMore(ring: Ring): boolean {
    return this.isBehind(ring) || this.#position === null || this.#position < ring.end;
  }

  /** A log may have gaps. */
  skipTo(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  takeEvents(events: readonly StoredEvent[]): Frame[] {
    return events.flatMap((event) => (this.#pass(event) ? [eventFrame(this.runId, event)] : []));
  }

  takeFrom(ring: Ring): Frame[] {
    this.#position ??= ring.positionAfter(this.#seq);
    const entries = this.#position === null ? null : ring.from(this.#position, BATCH);
    if (this.#position === null || entries === null) return [];
    this.#position += entries.length;
    return entries.flatMap((entry) => (this.#admit(entry) ? [entry.frame] : []));
  }

  #admit(entry: Entry): boolean {
    if (entry.kind === 'event') return this.#pass(entry.event);
    return !this.#ended && this.gate.admits(entry.piece);
  }

  #pass(event: StoredEvent): boolean {
    if (this.#ended || event.seq <= this.#seq) return false;
    this.#seq = event.seq;
    this.gate.see(event);
    this.#ended = endsStream(event, this.isChild);
    return true;
  }
}
