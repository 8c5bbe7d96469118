import type { Source } from './source';

/** The inside of a string literal. */
export interface Quoted {
  readonly from: number;
  readonly to: number;
  /** How it ended: at its quote, at the end of its line or of the text, or where reading stopped. */
  readonly ended: 'quote' | 'line' | 'text' | 'bound';
}

const LONGEST = 16_384;
const LONGEST_WITHOUT_ALLOWANCE = 256;

/**
 * The string that starts here, if one does. A string inside a string inside a
 * string has 0, 1, 3, 7 … backslashes before its quotes; a quote with fewer ends
 * an outer string and so this one too; one with more is inside, unless the
 * further backslashes are whole escapes. A line's end ends a string.
 */
export function readQuoted(source: Source, at: number): Quoted | undefined {
  let open = at;
  if (/[bBrRuUfFL@$]/.test(source.char(open)) && /["']/.test(source.char(open + 1))) open += 1;
  const backslashes = countBackslashes(source, open);
  const quote = source.char(open + backslashes);
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;

  const from = open + backslashes + 1;
  const most = longestValue(source);
  let index = from;
  let ended: Quoted['ended'] = 'quote';
  for (;;) {
    const char = source.char(index);
    if (char === '' || char === '\n' || char === '\r') {
      ended = char === '' ? 'text' : 'line';
      break;
    }
    if (index - from >= most) {
      ended = 'bound';
      break;
    }
    const run = char === '\\' ? countBackslashes(source, index) : 0;
    if (run === 0 && char !== quote) index += 1;
    else if (source.char(index + run) !== quote) index += Math.max(run, 1);
    else if (run < backslashes || (run - backslashes) % (2 * (backslashes + 1)) === 0) {
      index += Math.max(0, run - backslashes);
      break;
    } else index += run + 1;
  }
  source.allowance -= index - from;
  return { from, to: index, ended };
}

/** How far a value may be read whose end is not known. */
export function longestValue(source: Source): number {
  return Math.min(LONGEST, Math.max(source.allowance, LONGEST_WITHOUT_ALLOWANCE));
}

function countBackslashes(source: Source, at: number): number {
  let end = at;
  while (source.char(end) === '\\' && end - at < LONGEST) end += 1;
  return end - at;
}
