import { describe, expect, test } from 'vitest';
import { reveal, revealed } from './reveal';

describe('what hides or reorders text is shown', () => {
  test.each([
    ['invoice\u202Efdp.exe', 'invoice[U+202E]fdp.exe'],
    ['a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['pass\u200Bword', 'pass[U+200B]word'],
    ['\uFEFFrm -rf', '[U+FEFF]rm -rf'],
    ['a\u001b[31mb', 'a[U+001B][31mb'],
    ['\u3164', '[U+3164]'],
  ])('%j', (text, shown) => {
    expect(revealed(text)).toBe(shown);
  });

  test.each(['src/naïve.ts', 'العربية.txt', 'line\n\ttabbed', '漢字', ''])('%j stays as it is', (text) => {
    expect(revealed(text)).toBe(text);
    expect(reveal(text).some((piece) => piece.hidden)).toBe(false);
  });

  test('in prose and code what reorders is shown, and what joins is kept', () => {
    expect(reveal('if (admin\u202E) // \u2066', 'prose').filter((piece) => piece.hidden).map((piece) => piece.text)).toEqual(['U+202E', 'U+2066']);
    expect(reveal('family: \u{1F469}\u200D\u{1F467}', 'prose').some((piece) => piece.hidden)).toBe(false);
  });
});
