import { expect, test } from 'vitest';
import type { RunId } from '@/lib/domain/id';
import type { TreeEvent } from '@/lib/store/read-tree';
import { treeOrder, wholeMoments } from './tree-order';

const one = (ms: number, runId: RunId, depth: number, seq: number, type: string): TreeEvent => ({
  runId,
  depth,
  event: { seq, type, payload: {}, timestamp: new Date(ms).toISOString() },
});
const said = (events: readonly TreeEvent[]) => events.map(({ runId, event }) => `${runId} ${event.type}`);

test('within a millisecond a spawn comes before what it spawned, and an end before what it ends', () => {
  const given = [
    one(1, 'run_a', 0, 5, 'task.spawned'),
    one(1, 'run_b', 1, 1, 'run.queued'),
    one(2, 'run_a', 0, 6, 'task.ended'),
    one(2, 'run_a', 0, 7, 'message.appended'),
    one(2, 'run_b', 1, 2, 'run.succeeded'),
    one(3, 'run_a', 0, 8, 'run.succeeded'),
    one(3, 'run_a', 0, 9, 'session.completed'),
    one(3, 'run_c', 1, 4, 'model.failed'),
    one(3, 'run_c', 1, 5, 'run.failed'),
  ];
  expect(said(treeOrder(given))).toEqual([
    'run_a task.spawned',
    'run_b run.queued',
    'run_b run.succeeded',
    'run_a task.ended',
    'run_a message.appended',
    'run_c model.failed',
    'run_c run.failed',
    'run_a run.succeeded',
    'run_a session.completed',
  ]);
});

test('a moment that a page cut is left for the next page, unless it is all there is', () => {
  const page = [one(1, 'run_a', 0, 1, 'x'), one(2, 'run_a', 0, 2, 'x'), one(2, 'run_b', 1, 1, 'x')];
  expect(wholeMoments(page, 3)).toEqual(page.slice(0, 1));
  expect(wholeMoments(page, 4)).toEqual(page);
  expect(wholeMoments(page.slice(1), 2)).toEqual(page.slice(1));
});
