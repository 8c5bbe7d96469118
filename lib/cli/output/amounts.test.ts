import { expect, test } from 'vitest';
import { age, count, duration, plural, usd } from './amounts';

test('counts are grouped by thousands', () => {
  expect([0, 999, 1000, 1234567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([plural(1, 'edit'), plural(2, 'edit'), plural(0, 'edit was', 'edits were')]).toEqual(['1 edit', '2 edits', '0 edits were']);
});

test('durations have the unit a person would use', () => {
  expect([0, 350, 2_400, 185_000, 7_440_000, 259_200_000].map(duration)).toEqual(['0 ms', '350 ms', '2.4 s', '3 min 5 s', '2 h 4 min', '3 d']);
  expect([-5, 12_000, 300_000, 10_800_000, 172_800_000].map(age)).toEqual(['0 s', '12 s', '5 min', '3 h', '2 d']);
});

test('a cost that is not nothing never reads as nothing', () => {
  expect([0, 1, 99, 100, 1_234_567].map(usd)).toEqual(['$0.0000', '$0.000001', '$0.000099', '$0.0001', '$1.2346']);
});
