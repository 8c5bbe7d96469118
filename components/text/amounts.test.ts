import { expect, test } from 'vitest';
import { count, duration, elapsed, plural, relative, share, short, usd } from './amounts';

test('numbers keep every digit, or say that they do not', () => {
  expect([count(0), count(999), count(50_100_776)]).toEqual(['0', '999', '50,100,776']);
  expect([short(9_999), short(10_000), short(99_949), short(100_000), short(999_499), short(999_500), short(49_909_209)]).toEqual([
    '9,999', '10.0k', '99.9k', '100k', '999k', '1.0M', '49.9M',
  ]);
  expect([plural(1, 'edit'), plural(2, 'edit'), plural(0, 'entry', 'entries')]).toEqual(['1 edit', '2 edits', '0 entries']);
});

test('money is never rounded to nothing', () => {
  expect([usd(0), usd(1), usd(2_772), usd(999_999), usd(1_234_567_890)]).toEqual(['$0.00', '$0.000001', '$0.0028', '$1.0000', '$1,234.57']);
});

test('times', () => {
  expect([duration(350), duration(2_440), duration(59_960), elapsed(65_000), elapsed(7_440_000), elapsed(3 * 86_400_000)]).toEqual([
    '350 ms', '2.4 s', '59 s', '1 min 05 s', '2 h 04 min', '3 d 0 h',
  ]);
  expect([relative(10_000), relative(300_000), relative(-300_000), relative(5 * 86_400_000)]).toEqual(['just now', '5 min ago', 'in 5 min', '5 d ago']);
});

test('a share of nothing is none', () => {
  expect([share(1, 0), share(1, 3)]).toEqual([null, '33 %']);
});
