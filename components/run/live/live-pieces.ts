/**
 * Text that streams and is never stored: what a model is writing, what a command
 * prints. Held outside of the page's state, so that a token changes one paragraph and
 * not the whole timeline.
 */
import type { EphemeralEvent } from '@/lib/live/frame';

export interface LiveText {
  readonly text: string;
  /** The beginning, or something in between, was not seen. */
  readonly incomplete: boolean;
}

const NOTHING: LiveText = { text: '', incomplete: false };
/** Of one stream: enough to read along, and a bound for a page that stays open. */
const MOST_CHARACTERS = 200_000;

type Key = `${string}:${'text' | 'reasoning' | 'output'}`;

export class LivePieces {
  readonly #texts = new Map<Key, LiveText & { readonly next: number }>();
  readonly #listeners = new Set<() => void>();

  add(pieces: readonly EphemeralEvent[]): void {
    for (const piece of pieces) {
      const key: Key =
        piece.type === 'model.delta' ? `${piece.payload.request_id}:${piece.payload.kind}` : `${piece.payload.call_id}:output`;
      const { offset, text } = piece.payload;
      const before = this.#texts.get(key) ?? { ...NOTHING, next: 0 };
      // Streams of one call (stdout, stderr) count their offsets apart; only those of a model tell what is missing.
      const gap = piece.type === 'model.delta' && offset > before.next;
      const whole = before.text + text;
      this.#texts.set(key, {
        text: whole.length > MOST_CHARACTERS ? whole.slice(-MOST_CHARACTERS) : whole,
        incomplete: before.incomplete || gap || whole.length > MOST_CHARACTERS,
        next: offset + text.length,
      });
    }
    if (pieces.length > 0) this.#tell();
  }

  /** What was streamed is stored now, or will never be. */
  forget(id: string): void {
    for (const kind of ['text', 'reasoning', 'output'] as const) this.#texts.delete(`${id}:${kind}`);
    this.#tell();
  }

  read(key: Key): LiveText {
    return this.#texts.get(key) ?? NOTHING;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
