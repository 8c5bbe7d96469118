import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../src/duration.mjs';

test('one part', () => {
  assert.equal(minutes('45m'), 45);
  assert.equal(minutes('2h'), 120);
});

test('several parts add up', () => {
  assert.equal(minutes('2h 15m'), 135);
  assert.equal(minutes('1d 2h 15m'), 1575);
});

test('what is not a duration is refused', () => {
  assert.throws(() => minutes('soon'), RangeError);
});
