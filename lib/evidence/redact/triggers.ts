import type { Source } from './source';

/** A word that makes the text around it worth reading, and who reads it. */
export interface Trigger {
  readonly word: string;
  /** Must the word stand as it is written? Otherwise ASCII case does not matter. */
  readonly exact: boolean;
  /** Read even inside what is already covered: what it finds may reach beyond it. */
  readonly always?: boolean;
  /** Reports what it finds to the source; `start` and `end` bound the word. */
  readonly read: (source: Source, start: number, end: number) => void;
}

/** The automaton of all words: a table of states, walked by one look-up a character. */
export interface TriggerTable {
  readonly width: number;
  /** Column of a character; 0 for all that stand in no word. */
  readonly column: Uint16Array;
  readonly next: Int32Array;
  /** Characters of the longest word begun at a state: what a stream must hold. */
  readonly depth: Uint16Array;
  readonly hits: readonly (readonly Trigger[])[];
}

/**
 * Aho–Corasick over all words at once. One pass finds every token prefix, name
 * and known value at two look-ups a character, however many there are, and
 * whatever the text; a regular expression a rule costs a pass each.
 */
export function buildTriggerTable(triggers: readonly Trigger[]): TriggerTable {
  const column = new Uint16Array(65_536);
  let width = 1;
  for (const { word } of triggers) {
    for (const code of codes(word)) {
      if (column[code] !== 0) continue;
      column[code] = width;
      if (code >= 97 && code <= 122) column[code - 32] = width;
      width += 1;
    }
  }

  const states = 1 + triggers.reduce((sum, { word }) => sum + word.length, 0);
  const next = new Int32Array(states * width);
  const depth = new Uint16Array(states);
  const hits: Trigger[][] = [[]];
  for (const trigger of triggers) {
    let state = 0;
    for (const code of codes(trigger.word)) {
      const cell = state * width + (column[code] ?? 0);
      let target = next[cell] ?? 0;
      if (target === 0) {
        target = hits.length;
        next[cell] = target;
        depth[target] = (depth[state] ?? 0) + 1;
        hits.push([]);
      }
      state = target;
    }
    hits[state]?.push(trigger);
  }
  linkFailures(next, width, hits);
  return { width, column, next, depth, hits };
}

/** Breadth first: a state's missing moves are those of its longest proper suffix. */
function linkFailures(next: Int32Array, width: number, hits: Trigger[][]): void {
  const failure = new Int32Array(hits.length);
  const queue: number[] = [];
  for (let move = 1; move < width; move += 1) if (next[move]) queue.push(next[move] ?? 0);
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head] ?? 0;
    const suffix = failure[state] ?? 0;
    hits[state]?.push(...(hits[suffix] ?? []));
    for (let move = 1; move < width; move += 1) {
      const cell = state * width + move;
      const target = next[cell] ?? 0;
      const fallback = next[suffix * width + move] ?? 0;
      if (target === 0) next[cell] = fallback;
      else {
        failure[target] = fallback;
        queue.push(target);
      }
    }
  }
}

function* codes(word: string): Generator<number> {
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    yield code >= 65 && code <= 90 ? code + 32 : code;
  }
}
