import { expect, test } from 'vitest';
import type { RunId } from '@/lib/domain/id';
import { formatCursors, parseCursors, resumeAfter, resumeTreeAfter, wantsStream } from './stream-request';

const run = (last: string): RunId => `run_01HZZZZZZZZZZZZZZZZZZZZZZ${last}`;

test('cursors are read as they are written', () => {
  const cursors = [
    { runId: run('A'), after: 0 },
    { runId: run('B'), after: 12_345 },
  ];
  expect(parseCursors(formatCursors(cursors))).toEqual(cursors);
  expect(parseCursors('')).toEqual([]);
});

test.each([
  ['no id', 'run_1:0'],
  ['an id of another kind', `ses_01HZZZZZZZZZZZZZZZZZZZZZZA:0`],
  ['no seq', run('A')],
  ['a negative seq', `${run('A')}:-1`],
  ['a seq that no number holds', `${run('A')}:9999999999999999`],
  ['something more', `${run('A')}:1:2`],
  ['an end without a run', `${run('A')}:1,`],
  ['a run twice', `${run('A')}:1,${run('A')}:2`],
  ['65 runs', Array.from({ length: 65 }, () => `${run('A')}:1`).join(',')],
])('%s is refused', (_name, text) => {
  expect(parseCursors(text)).toBeNull();
});

test('the id of the last event wins over the address', () => {
  expect(resumeAfter(new Headers(), 3)).toBe(3);
  expect(resumeAfter(new Headers({ 'last-event-id': '' }), 3)).toBe(3);
  expect(resumeAfter(new Headers({ 'last-event-id': '12' }), 3)).toBe(12);
  expect(resumeAfter(new Headers({ 'last-event-id': 'twelve' }), 3)).toBeNull();
});

test('a tree goes on from a cursor of each run, or from a seq of its root', () => {
  expect(resumeTreeAfter(new Headers(), run('A'), '7')).toEqual(new Map([[run('A'), 7]]));
  const id = `${run('A')}:3,${run('B')}:4`;
  expect(resumeTreeAfter(new Headers({ 'last-event-id': id }), run('A'), '0')).toEqual(new Map([[run('A'), 3], [run('B'), 4]]));
  expect(resumeTreeAfter(new Headers(), run('A'), 'run_1:x')).toBeNull();
});

test('a stream is what asks for one', () => {
  expect(wantsStream(new Headers({ accept: 'text/event-stream' }))).toBe(true);
  expect(wantsStream(new Headers({ accept: 'application/json' }))).toBe(false);
  expect(wantsStream(new Headers())).toBe(false);
});
