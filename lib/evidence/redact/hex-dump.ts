import { NOT_NEWLINE } from './char-class';
import type { Source } from './source';
import { TOKEN_SHAPES } from './token-shapes';
import type { Trigger } from './triggers';

/**
 * A line of `hexdump -C` or `xxd`: an offset, bytes, and the same bytes as text.
 * Sixteen bytes hold no whole token, so here a beginning is enough: with eight
 * characters after a token's prefix both columns go.
 */
const LINE = /^[0-9a-f]{7,8}:? {1,2}((?:[0-9a-f]{2,4} {1,2}){2,17}) {0,40}\|?([\x20-\x7e]{8,17})\|?$/;

const BEGINNING = new RegExp(
  `(?:${TOKEN_SHAPES.flatMap(({ prefixes }) => prefixes)
    .filter((prefix) => prefix.length >= 4)
    .map((prefix) => prefix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')})[A-Za-z0-9_-]{8}`,
);

/** Every line of a dump begins a multiple of sixteen. */
export const hexDumpTriggers: readonly Trigger[] = ['0  ', '0: '].map((word) => ({
  word,
  exact: true,
  read: (source, start, end) => readLine(source, start, end),
}));

function readLine(source: Source, start: number, end: number): void {
  const from = start - 7 >= 0 && isLineStart(source, start - 7) ? start - 7 : start - 6;
  if (from < 0 || !isLineStart(source, from)) return;
  source.candidate = from;
  const until = source.run(NOT_NEWLINE, end);
  if (until - from > 120) return;
  const text = /[\x20-\x7e]{8,17}$/.exec(source.text.slice(from, until).replace(/\|$/, ''));
  if (text === null || !LINE.test(source.text.slice(from, until)) || !BEGINNING.test(text[0])) return;
  source.found(end, until, 'token');
}

function isLineStart(source: Source, at: number): boolean {
  const before = source.text.charAt(at - 1);
  return before === '' || before === '\n' || before === '\r';
}
