import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { StoredEvent } from '@/lib/store/read-log';
import type { Frame } from '../frame';

export type Entry =
  | { readonly kind: 'event'; readonly event: StoredEvent; readonly frame: Frame }
  | { readonly kind: 'piece'; readonly piece: EphemeralEvent; readonly frame: Frame };

/**
 * What has lately happened to a run, in the order in which it was learned, made into
 * frames once for all its readers. Bounded; who falls behind it reads the table.
 *
 * Holds every event with a seq above `beginsAfter`, up to the last one put.
 */
export class Ring {
  #entries: Entry[] = [];
  /** Of the first entry; positions are never used again. */
  #first = 0;
  #bytes = 0;
  #total = 0;
  #beginsAfter: number;

  constructor(
    beginsAfter: number,
    private readonly limits: { readonly entries: number; readonly bytes: number },
  ) {
    this.#beginsAfter = beginsAfter;
  }

  get beginsAfter(): number {
    return this.#beginsAfter;
  }

  /** Of the next entry to come. */
  get end(): number {
    return this.#first + this.#entries.length;
  }

  /** All that was ever put, in bytes. */
  get total(): number {
    return this.#total;
  }

  put(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += sizeOf(entry);
    this.#total += sizeOf(entry);
    let excess = 0;
    // The last one stays, whatever its size.
    while (this.#entries.length - excess > 1 && (this.#entries.length - excess > this.limits.entries || this.#bytes > this.limits.bytes)) {
      const oldest = this.#entries[excess];
      excess += 1;
      if (oldest === undefined) break;
      this.#bytes -= sizeOf(oldest);
      if (oldest.kind === 'event') this.#beginsAfter = oldest.event.seq;
    }
    if (excess > 0) this.#entries.splice(0, excess);
    this.#first += excess;
  }

  /** Where one goes on who has seen `seq`; null where the ring begins later. */
  positionAfter(seq: number): number | null {
    if (seq < this.#beginsAfter) return null;
    const index = this.#entries.findIndex((entry) => entry.kind === 'event' && entry.event.seq > seq);
    if (index === -1) {
      // Pieces after the last event that was seen are still to come.
      const last = this.#entries.findLastIndex((entry) => entry.kind === 'event');
      return this.#first + last + 1;
    }
    let begin = index;
    while (begin > 0 && this.#entries[begin - 1]?.kind === 'piece') begin -= 1;
    return this.#first + begin;
  }

  /** At most `limit` entries from `position` on; null where they are gone. */
  from(position: number, limit: number): readonly Entry[] | null {
    if (position < this.#first) return null;
    const index = position - this.#first;
    return this.#entries.slice(index, index + limit);
  }
}

const sizeOf = ({ frame }: Entry): number => frame.data.length;
