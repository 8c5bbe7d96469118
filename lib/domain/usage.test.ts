import { describe, expect, it } from 'vitest';
import { addUsage, costMicroUsd, NO_USAGE, type ModelPrice, type UsageReport } from './usage';

const known = (inputTokens: number, outputTokens: number, cachedTokens = 0, reasoningTokens = 0): UsageReport & { readonly state: 'known' | 'estimated' } => ({
  state: 'known',
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens,
});
const unknown: UsageReport = { state: 'unknown', reason: 'aborted' };
const price: ModelPrice = { input: 0.5, cachedInput: 0.05, output: 2 };

describe('usage', () => {
  it('total tokens are input and output; cached and reasoning are parts and never added', () => {
    const totals = addUsage(NO_USAGE, known(49_909_209, 191_567, 47_879_040, 1_000), null);
    expect(totals.totalTokens).toBe(50_100_776);
    expect(totals).toMatchObject({ inputTokens: 49_909_209, outputTokens: 191_567, cachedTokens: 47_879_040, reasoningTokens: 1_000 });
  });

  it('a million such entries sum exactly', () => {
    const entry = known(49_909_209, 191_567, 47_879_040);
    let totals = NO_USAGE;
    for (let index = 0; index < 1_000_000; index += 1) totals = addUsage(totals, entry, 2_772);
    expect(BigInt(totals.totalTokens)).toBe(50_100_776n * 1_000_000n);
    expect(BigInt(totals.inputTokens)).toBe(49_909_209n * 1_000_000n);
    expect(BigInt(totals.cachedTokens)).toBe(47_879_040n * 1_000_000n);
    expect(BigInt(totals.costMicroUsd)).toBe(2_772n * 1_000_000n);
    expect(Number.isSafeInteger(totals.totalTokens)).toBe(true);
  });

  it('an empty attempt and its recovery both count', () => {
    const totals = addUsage(addUsage(NO_USAGE, known(17, 4, 12), 1), known(19, 6, 14), 1);
    expect(totals).toMatchObject({ inputTokens: 36, outputTokens: 10, cachedTokens: 26, totalTokens: 46 });
  });

  it('unknown is counted apart and is not 0', () => {
    const before = addUsage(NO_USAGE, known(10, 1), 7);
    const after = addUsage(before, unknown, null);
    expect(after).toEqual({ ...before, unknownRequests: 1 });
    expect(addUsage(NO_USAGE, known(0, 0), 0)).toEqual(NO_USAGE);
    expect(addUsage(NO_USAGE, unknown, null)).not.toEqual(NO_USAGE);
  });

  it('an entry without a price is counted as such, its tokens are not lost', () => {
    expect(addUsage(NO_USAGE, known(10, 1), null)).toMatchObject({ totalTokens: 11, costMicroUsd: 0, unpricedRequests: 1, unknownRequests: 0 });
  });

  it('what was seen before an abort counts as the lower bound that it is', () => {
    expect(addUsage(NO_USAGE, { ...known(10, 1), state: 'estimated' }, 3)).toMatchObject({ totalTokens: 11, costMicroUsd: 3, unknownRequests: 0 });
  });
});

describe('cost', () => {
  it('3,914 uncached and 16,298 cached input at $0.50 and $0.05 cost 2,772 micro-USD: 2,771.9, rounded half up', () => {
    expect(costMicroUsd(known(3_914 + 16_298, 0, 16_298), price)).toBe(2_772);
  });

  it.each([
    [known(1, 0), 1], // 0.5
    [known(0, 0), 0],
    [known(9, 0, 9), 0], // 0.45
    [known(10, 0, 10), 1], // 0.5
    [known(3, 0), 2], // 1.5
    [known(0, 7), 14],
  ])('is rounded half up once per entry: %j costs %d', (report, expected) => {
    expect(costMicroUsd(report, price)).toBe(expected);
  });

  it('is exact where binary fractions are not', () => {
    // 0.1 + 0.2 in binary is not 0.3: 15 tokens would cost 4.500000000000001 or 4.499…
    expect(costMicroUsd(known(15, 0), { input: 0.3, cachedInput: 0.3, output: 0 })).toBe(5);
    expect(costMicroUsd(known(9_000_000_000_000, 0), { input: 0.07, cachedInput: 0, output: 0 })).toBe(630_000_000_000);
  });

  it('is unknown, not 0, without a price or without usage', () => {
    expect(costMicroUsd(known(10, 1), null)).toBeNull();
    expect(costMicroUsd(unknown, price)).toBeNull();
  });

  it('is never negative, even when a provider reports more cached than input', () => {
    expect(costMicroUsd(known(0, 0, 1_000), { input: 10, cachedInput: 1, output: 0 })).toBe(1_000);
  });
});
