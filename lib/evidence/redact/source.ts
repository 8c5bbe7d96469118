import { classCount, inClass, type CharClass } from './char-class';

/** A piece of text that must not be shown. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** The characters that would still belong to it, if the text went on. */
  readonly tail?: CharClass;
}

/**
 * A text while it is read. All reading goes through it, for two reasons: runs are
 * remembered, so that no hostile text makes the same characters be read again and
 * again; and it knows whether a decision depended on where the text ends, which
 * is what a stream has to know before it lets characters go.
 */
export class Source {
  readonly spans: Span[] = [];
  /** Everything before this index is already inside a span. */
  covered = 0;
  /** Names before this index have been judged. */
  named = 0;
  /** Header values before this index have been judged. */
  headed = 0;
  /** Did the current decision look at the end of the text? */
  touchedEnd = false;
  /** Where the text begins that the current decision is about. */
  candidate = 0;

  /**
   * Characters that may still be read as quoted values. Nested quotes can make
   * every value contain all the following ones; this keeps the whole linear.
   */
  allowance: number;

  private readonly memoFrom = new Int32Array(classCount()).fill(-1);
  private readonly memoEnd = new Int32Array(classCount()).fill(-1);

  constructor(readonly text: string) {
    this.allowance = 4 * text.length + 65_536;
  }

  /** A decision about what stands at `start` begins; its reader may move `candidate` back. */
  begin(start: number): void {
    this.touchedEnd = false;
    this.candidate = start;
  }

  /** From where on the decision just made may change with more text. */
  openFrom(): number {
    return this.touchedEnd ? this.candidate : Infinity;
  }

  /** Character code at the index; NaN before and after the text. */
  code(index: number): number {
    if (index >= this.text.length) this.touchedEnd = true;
    return this.text.charCodeAt(index);
  }

  char(index: number): string {
    if (index >= this.text.length) this.touchedEnd = true;
    return this.text.charAt(index);
  }

  /** Where the run of the class that starts at `from` ends. */
  run(set: CharClass, from: number): number {
    let end: number;
    if (from >= (this.memoFrom[set.id] ?? -1) && from < (this.memoEnd[set.id] ?? -1)) {
      end = this.memoEnd[set.id] ?? from;
    } else {
      end = from;
      while (end < this.text.length && inClass(set, this.text.charCodeAt(end))) end += 1;
      this.memoFrom[set.id] = from;
      this.memoEnd[set.id] = end;
    }
    if (end >= this.text.length) this.touchedEnd = true;
    return end;
  }

  /** Where the run of the class that ends before `to` starts; at most `max` back. */
  runBack(set: CharClass, to: number, max: number): number {
    let start = to;
    const floor = Math.max(0, to - max);
    while (start > floor && inClass(set, this.text.charCodeAt(start - 1))) start -= 1;
    return start;
  }

  /** Does the word stand here? True to the end of the text: a cut word touches it. */
  at(word: string, index: number): boolean {
    for (let offset = 0; offset < word.length; offset += 1) {
      if (this.code(index + offset) !== word.charCodeAt(offset)) return false;
    }
    return true;
  }

  found(start: number, end: number, kind: string, tail?: CharClass): void {
    if (end <= start) return;
    this.spans.push(tail === undefined ? { start, end, kind } : { start, end, kind, tail });
    if (end > this.covered) this.covered = end;
  }
}

/** Spans in order, those that overlap made one; the kind of the first is kept. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const ordered = [...spans].sort((left, right) => left.start - right.start || right.end - left.end);
  const merged: Span[] = [];
  for (const span of ordered) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) {
      const { tail } = span;
      merged[merged.length - 1] = { start: last.start, end: span.end, kind: last.kind, ...(tail && { tail }) };
    }
  }
  return merged;
}
