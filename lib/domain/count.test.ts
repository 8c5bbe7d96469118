import { describe, expect, it } from 'vitest';
import { asCount } from './count';

describe('asCount', () => {
  it.each([0, 1, 49_909_209, Number.MAX_SAFE_INTEGER])('keeps the count %s', (count) => {
    expect(asCount(count)).toBe(count);
  });

  it('knows no negative zero', () => {
    expect(Object.is(asCount(-0), 0)).toBe(true);
  });

  it.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53, 1e300, '12', 12n, null, undefined, true, [], [3], {}])(
    'says unknown, not zero, for %s',
    (value) => {
      expect(asCount(value)).toBeUndefined();
    },
  );
});
