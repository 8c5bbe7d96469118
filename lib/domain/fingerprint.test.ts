import { describe, expect, it } from 'vitest';
import { fingerprint } from './fingerprint';

describe('fingerprint', () => {
  it('does not see the order of keys, at any depth', () => {
    expect(fingerprint({ a: 1, b: { c: [1, { x: 1, y: 2 }], d: null } })).toBe(
      fingerprint({ b: { d: null, c: [1, { y: 2, x: 1 }] }, a: 1 }),
    );
  });

  it.each([
    ['the order of an array', [1, 2], [2, 1]],
    ['a number and its text', 1, '1'],
    ['null and a missing key', { a: null }, {}],
    ['an empty array and an empty object', [], {}],
    ['a boundary between strings', ['ab', 'c'], ['a', 'bc']],
  ])('sees %s', (_what, left, right) => {
    expect(fingerprint(left)).not.toBe(fingerprint(right));
  });

  it('is the SHA-256 of the canonical text', () => {
    expect(fingerprint({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });
});
