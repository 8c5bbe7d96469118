import { describe, expect, it } from 'vitest';
import { LONGEST_RETRY_AFTER_MS, retryDelayMs } from './retry';

describe('the wait before a retry', () => {
  it('doubles with each attempt up to half a minute, whatever the number', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 2_000].map((attempt) => retryDelayMs(0, attempt, 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is spread over its upper half, so that many runs do not return in step', () => {
    expect([0, 0.5, 1].map((random) => retryDelayMs(0, 2, random))).toEqual([500, 750, 1_000]);
  });

  it('is at least what the provider asked for, up to a bound', () => {
    expect(retryDelayMs(10_000, 1, 0)).toBe(10_000);
    expect(retryDelayMs(1, 1, 0)).toBe(250);
    expect(retryDelayMs(10 ** 9, 1, 0)).toBe(LONGEST_RETRY_AFTER_MS);
  });
});
