import { expect, test } from 'vitest';
import type { RunEvent, RunEventBody } from '@/lib/domain/run/event';
import { buildTimeline } from './build-timeline';
import { timelineRows } from './timeline-rows';

const log = (...bodies: readonly RunEventBody[]): RunEvent[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, timestamp: '2026-01-01T00:00:00.000Z' }));
const requested = (id: string): RunEventBody => ({ type: 'model.requested', payload: { request_id: id, purpose: 'round', model: 'm', attempt: 1 } });
const responded = (id: string): RunEventBody => ({ type: 'model.responded', payload: { request_id: id, text: 'x', tool_calls: [], finish_reason: 'stop' } });
const failed = (id: string): RunEventBody => ({
  type: 'model.failed',
  payload: { request_id: id, class: 'overload', code: '503', message: 'later', retryable: true },
});
const groups = buildTimeline(
  log(
    { type: 'run.started', payload: { generation: 1, lease_epoch: 1, worker: 'w' } },
    requested('a'), responded('a'), requested('b'), failed('b'), requested('c'), responded('c'),
  ),
);
const shape = (options: Partial<Parameters<typeof timelineRows>[1]>): string =>
  timelineRows(groups, { firstRound: 1, failedOnly: false, descending: false, ...options })
    .map((row) => (row.kind === 'round' ? `#${row.number ?? '?'}` : `${row.item.kind}${row.seq}`))
    .join(' ');

test('failed attempts belong to the round that they delayed', () => {
  expect(shape({})).toBe('mark1 #1 request2 #2 request4 request6');
  expect(shape({ firstRound: null })).toBe('mark1 #? request2 #? request4 request6');
});
test('only what failed, under its round', () => {
  expect(shape({ failedOnly: true })).toBe('#2 request4');
});
test('the newest first, each round from its beginning', () => {
  expect(shape({ descending: true })).toBe('#2 request4 request6 #1 request2 mark1');
});
