import { inClass, type CharClass } from './char-class';
import { scan } from './scan';
import type { Span } from './source';
import type { TriggerTable } from './triggers';

/**
 * Redacts a text that comes in pieces. What leaves is what the whole text's
 * redaction would be, however it was cut, as long as nothing must be held beyond
 * the bound.
 */
export interface RedactingStream {
  /** What may be shown now; may be empty. */
  push(chunk: string): string;
  /** The rest, at the end of the text. The stream can be used again after it. */
  flush(): string;
}

/** Most that is ever held back. Past it a secret in progress is cut off as redacted and its rest dropped. */
export const LONGEST_HOLD = 16_384;
/** When the bound is reached with no secret in sight, this much stays: no token is longer. */
const HOLD_AFTER_BOUND = 1_024;
/** From here on a text is read again only when it has grown by an eighth: bounded work, whatever the chunks. */
const READ_EAGERLY = 1_024;
/** What was let go and is still read, so that the next characters are judged in their line. */
const CONTEXT = 256;

/**
 * States: *reading* (`dropping` is undefined) holds `text` = context already let
 * go + what is held; *dropping* holds nothing and swallows characters of one
 * class, the rest of a secret that was longer than the bound.
 */
export class HoldingStream implements RedactingStream {
  private text = '';
  /** Characters of `text` that have been let go. */
  private gone = 0;
  private dropping: CharClass | undefined;
  /** Characters that came since the text was last read. */
  private unread = 0;

  constructor(
    private readonly table: TriggerTable,
    private readonly redact: (text: string, spans: readonly Span[], from: number, to: number) => string,
  ) {}

  push(chunk: string): string {
    const rest = this.drop(chunk);
    if (rest === '') return '';
    this.text += rest;
    this.unread += rest.length;
    const held = this.text.length - this.gone;
    if (held > READ_EAGERLY && this.unread < held / 8 && !rest.includes('\n')) return '';
    this.unread = 0;
    const { spans, settled } = scan(this.table, this.text);
    const cut = cutBefore(this.text, Math.min(settled, wordStart(this.text)), spans);
    if (this.text.length - cut <= LONGEST_HOLD) return this.release(cut, spans);
    return this.releaseAtBound(spans);
  }

  flush(): string {
    const { spans } = scan(this.table, this.text);
    const shown = this.redact(this.text, spans, this.gone, this.text.length);
    this.text = '';
    this.gone = 0;
    this.dropping = undefined;
    return shown;
  }

  private release(cut: number, spans: readonly Span[]): string {
    if (cut <= this.gone) return '';
    const shown = this.redact(this.text, spans, this.gone, cut);
    const keep = contextStart(this.text, cut);
    this.text = this.text.slice(keep);
    this.gone = cut - keep;
    return shown;
  }

  private releaseAtBound(spans: readonly Span[]): string {
    const last = spans.at(-1);
    if (last !== undefined && last.tail !== undefined && last.end >= this.text.length) {
      const shown = this.redact(this.text, spans, this.gone, this.text.length);
      this.text = '';
      this.gone = 0;
      this.dropping = last.tail;
      return shown;
    }
    return this.release(cutBefore(this.text, this.text.length - HOLD_AFTER_BOUND, spans), spans);
  }

  private drop(chunk: string): string {
    if (this.dropping === undefined) return chunk;
    let end = 0;
    while (end < chunk.length && inClass(this.dropping, chunk.charCodeAt(end))) end += 1;
    if (end < chunk.length) this.dropping = undefined;
    return chunk.slice(end);
  }
}

/** A cut never goes through a span: a secret is shown as one marker. */
function cutBefore(text: string, at: number, spans: readonly Span[]): number {
  let cut = Math.max(0, at);
  for (const { start, end } of spans) if (start < cut && end > cut) cut = start;
  // Nor through a character.
  const code = text.charCodeAt(cut - 1);
  return code >= 0xd800 && code <= 0xdbff ? cut - 1 : cut;
}

/** The last word is not finished: its next characters may make it a token. */
function wordStart(text: string): number {
  let start = text.length;
  while (start > 0 && mayGoOn(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** ASCII other than white space, what begins a disguise, and half a character. */
function mayGoOn(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return true;
  return code === 0x1b || code === 0xad || (code >= 0x200b && code <= 0x200f) || (code >= 0xd800 && code <= 0xdbff) || code === 0xfeff;
}

/** The line so far, but not more than is worth reading again. */
function contextStart(text: string, cut: number): number {
  const line = text.lastIndexOf('\n', cut - 1) + 1;
  return Math.max(line, cut - CONTEXT);
}
