import { describe, expect, it } from 'vitest';
import { isBlank } from './visible';

describe('isBlank', () => {
  it.each([
    ['nothing', ''],
    ['spaces and line ends', ' \t\r\n\v\f'],
    ['no-break, narrow and ideographic spaces', '\u00a0\u202f\u3000\u2007'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['direction marks and soft hyphens', '\u200e\u200f\u202a\u2066\u00ad'],
    ['variation selectors and tag characters', '\ufe0f\u{e0061}'],
    ['Hangul fillers and empty braille', '\u3164\u115f\u1160\uffa0\u2800'],
    ['NUL and other controls', '\u0000\u0007\u001b'],
    ['what stands for unreadable input', '\ufffd\ud83d'],
  ])('%s is blank', (_name, text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each(['a', '.', ' \u200b0', '😀', '中', '```', '\u0301'])('%j is visible', (text) => {
    expect(isBlank(text)).toBe(false);
  });

  it('takes a time that grows with the length, not faster', () => {
    expect(isBlank('\u200b \u00a0'.repeat(300_000))).toBe(true);
    expect(isBlank(`${' '.repeat(900_000)}x`)).toBe(false);
  });
});
