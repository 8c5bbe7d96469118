/**
 * One run as this process watches it: one reader for all its watchers, so that 200
 * watchers do not ask the table 200 times an event.
 *
 * Begins when the first watcher comes and is over when the last one leaves: then no
 * subscription, timer or memory is left of it.
 */
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { Listener } from '@/lib/store/listen';
import { readLog } from '@/lib/store/read-log';
import type { RunRef } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { ephemeralFrame, eventFrame } from '../frame';
import { readAgain } from './read-again';
import { Ring } from './ring';

export interface LiveSource {
  readonly store: Pick<Sql, 'rows'>;
  readonly listener: Listener;
  readonly bounds?: Partial<Bounds>;
}

export interface Bounds {
  readonly ringEntries: number;
  readonly ringBytes: number;
  /** A watcher that has taken nothing while so much was put is dropped; it resumes by its cursor. */
  readonly waitingBytes: number;
  /** A lost wake-up costs so long. */
  readonly pollMs: number;
}

const BOUNDS: Bounds = { ringEntries: 2_000, ringBytes: 1_048_576, waitingBytes: 4 * 1_048_576, pollMs: 5_000 };
export const boundsOf = (source: LiveSource): Bounds => ({ ...BOUNDS, ...source.bounds });

export const PAGE = 500;

/** A place in the channel. */
export interface Seat {
  /** Called when there may be more to take. */
  readonly wake: () => void;
  /** What the ring had held in all when this watcher last took something. */
  takenAt: number;
  /** It has taken all there was and waits: then nothing that comes makes it slow. */
  idle: boolean;
  /** It was too slow: it gets nothing more. */
  dropped: boolean;
}

export class RunChannel {
  #ring: Ring | null = null;
  readonly #seats = new Set<Seat>();
  readonly #over = new AbortController();
  readonly #bounds: Bounds;
  #reading = false;
  #dirty = false;
  #head = 0;

  constructor(
    private readonly source: LiveSource,
    private readonly ref: RunRef,
    private readonly onEmpty: () => void,
  ) {
    this.#bounds = boundsOf(source);
    const ends = [
      source.listener.subscribe(ref.runId, () => this.#look()),
      source.listener.onPieces(ref.runId, (piece) => this.#take(piece)),
    ];
    const poll = setInterval(() => this.#look(), this.#bounds.pollMs);
    poll.unref();
    this.#over.signal.addEventListener('abort', () => {
      clearInterval(poll);
      for (const end of ends) end();
    });
  }

  get ring(): Ring | null {
    return this.#ring;
  }

  enter(wake: () => void): Seat {
    const seat: Seat = { wake, takenAt: this.#ring?.total ?? 0, idle: false, dropped: false };
    this.#seats.add(seat);
    return seat;
  }

  leave(seat: Seat): void {
    if (!this.#seats.delete(seat) || this.#seats.size > 0) return;
    this.#over.abort();
    this.onEmpty();
  }

  /** The first watcher has read the log up to `seq`: what comes later is read here, once for all. */
  beginAfter(seq: number): Ring {
    if (this.#ring !== null) return this.#ring;
    this.#head = seq;
    this.#ring = new Ring(seq, { entries: this.#bounds.ringEntries, bytes: this.#bounds.ringBytes });
    for (const seat of this.#seats) seat.takenAt = 0;
    this.#look(); // whatever was committed meanwhile
    return this.#ring;
  }

  #look(): void {
    this.#dirty = true;
    if (this.#reading || this.#ring === null) return;
    this.#reading = true;
    void this.#read(this.#ring)
      .catch(() => this.#fail())
      .finally(() => (this.#reading = false));
  }

  async #read(ring: Ring): Promise<void> {
    while (this.#dirty && !this.#over.signal.aborted) {
      this.#dirty = false;
      const page = await readAgain(this.#over.signal, () => readLog(this.source.store, this.ref, this.#head, PAGE));
      if (page === null) return;
      for (const event of page.events) {
        ring.put({ kind: 'event', event, frame: eventFrame(this.ref.runId, event) });
        this.#head = event.seq;
      }
      if (page.events.length > 0) this.#wake(ring);
      if (page.events.length === PAGE) this.#dirty = true;
    }
  }

  #take(piece: EphemeralEvent): void {
    const ring = this.#ring;
    if (ring === null) return;
    ring.put({ kind: 'piece', piece, frame: ephemeralFrame(this.ref.runId, piece, new Date()) });
    this.#wake(ring);
  }

  #wake(ring: Ring): void {
    for (const seat of [...this.#seats]) {
      if (!seat.idle && ring.total - seat.takenAt > this.#bounds.waitingBytes) seat.dropped = true;
      seat.wake();
    }
  }

  /** The log does not read; nobody is left waiting for it. */
  #fail(): void {
    for (const seat of [...this.#seats]) {
      seat.dropped = true;
      seat.wake();
    }
  }
}
