import { expect, test } from 'vitest';
import { createIntake } from './intake';
import { createRedactor } from './redact';
import { createSealer } from './seal';

const SECRET = 'correct-horse-battery-staple';
const intake = createIntake({ redactor: createRedactor({ known: [SECRET] }), sealer: createSealer(Buffer.alloc(32, 1)) });
const BOUND = 1_048_576 + 65_536;

test.each([1, 10, SECRET.length - 1])('a secret of which %i characters lie before the bound leaves none of them', (before) => {
  const text = intake.text('x'.repeat(BOUND - before) + SECRET + 'y'.repeat(100));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BOUND);
  expect(text.slice(-60)).not.toContain(SECRET.slice(0, before < 5 ? 5 : before));
  expect(text.replaceAll('x', '')).not.toMatch(/^c/);
});

test('a text within the bound is kept whole', () => {
  expect(intake.text('x'.repeat(BOUND))).toHaveLength(BOUND);
  expect(intake.text('x'.repeat(BOUND + 5))).toHaveLength(BOUND);
});

test('JSON that cannot be kept is named', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100; depth += 1) deep = [deep];
  expect(intake.json(deep)).toEqual({ not_recorded: 'too_deep' });
});

test('a stream whose chunks cut a pair of surrogates keeps the character', () => {
  const stream = intake.stream();
  expect(stream.push('a\ud83d') + stream.push('\ude00b') + stream.flush()).toBe('a😀b');
  const broken = intake.stream();
  expect(broken.push('a\ud83d') + broken.flush()).toBe('a\ufffd');
});

test('only what was sealed for a call opens for it', () => {
  const sealed = intake.seal(SECRET, 'call_a');
  expect(Buffer.from(sealed).toString('latin1')).not.toContain(SECRET);
  expect(intake.open(sealed, 'call_a')).toBe(SECRET);
  expect(() => intake.open(sealed, 'call_b')).toThrow();
});
