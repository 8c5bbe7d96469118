import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/testing/random';
import { byteLength, truncateBytes, truncateMiddle } from './truncate';

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');
const random = seededRandom(1);
const texts = Array.from({ length: 300 }, () => Array.from({ length: random.int(40) }, () => random.pick(['a', 'é', '€', '😀', '\n', '\ud800'])).join(''));

describe('a cut by bytes', () => {
  it('counts as UTF-8 does, a lone surrogate as the U+FFFD it becomes', () => {
    for (const text of texts) expect(byteLength(text)).toBe(bytes(text));
  });

  it('keeps the longest head that fits, and never half a character', () => {
    let cut = 0;
    for (const text of texts) {
      for (const limit of [0, 1, 2, 3, 5, 17, 60, 1_000]) {
        const { text: head, truncated, omittedBytes } = truncateBytes(text, limit);
        expect(bytes(head)).toBeLessThanOrEqual(limit);
        expect(text.startsWith(head)).toBe(true);
        expect(truncated).toBe(head !== text);
        expect(omittedBytes).toBe(bytes(text) - bytes(head));
        // One more character would not fit.
        const following = text.codePointAt(head.length);
        if (following !== undefined) expect(bytes(head + String.fromCodePoint(following))).toBeGreaterThan(limit);
        cut += truncated ? 1 : 0;
      }
    }
    expect(cut).toBeGreaterThan(300);
  });

  it('in the middle keeps head and tail with a notice, and all of it fits', () => {
    let cut = 0;
    for (const text of texts.map((short) => short.repeat(5))) {
      for (const limit of [0, 10, 40, 64, 100, 10_000]) {
        const result = truncateMiddle(text, limit);
        expect(bytes(result.text)).toBeLessThanOrEqual(limit);
        if (!result.truncated) expect(result.text).toBe(text);
        const [head, tail] = result.text.split(`\n… ${result.omittedBytes} bytes omitted …\n`);
        if (head === undefined || tail === undefined) continue;
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(bytes(head) + bytes(tail) + result.omittedBytes).toBe(bytes(text));
        cut += 1;
      }
    }
    expect(cut).toBeGreaterThan(100);
  });
});
