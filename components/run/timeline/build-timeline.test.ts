import { describe, expect, test } from 'vitest';
import type { RunEvent, RunEventBody } from '@/lib/domain/run/event';
import { buildTimeline } from './build-timeline';
import { isFailure, type CallItem } from './timeline-item';

const log = (...bodies: readonly RunEventBody[]): RunEvent[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, timestamp: `2026-01-01T00:00:0${index % 10}.000Z` }));

const propose = (callId: string, effect: 'none' | 'external' = 'external'): RunEventBody => ({
  type: 'tool.proposed',
  payload: {
    call_id: callId,
    request_id: 'req_1',
    task_id: 'tsk_1',
    provider_call_id: callId,
    name: 'run_command',
    arguments: { command: 'node --test' },
    effect,
    counts_as_write: false,
  },
});
const request: RunEventBody = { type: 'model.requested', payload: { request_id: 'req_1', purpose: 'round', model: 'm', attempt: 1 } };
const responded: RunEventBody = { type: 'model.responded', payload: { request_id: 'req_1', text: 'I look.', tool_calls: [], finish_reason: 'tool_calls' } };

const callIn = (events: readonly RunEvent[]): CallItem => {
  const call = buildTimeline(events).flatMap((group) => group.items).find((item) => item.kind === 'call');
  if (call === undefined) throw new Error('no call');
  return call;
};

describe('a call is one item, whatever becomes of it', () => {
  const started: RunEventBody = { type: 'tool.started', payload: { call_id: 'call_1', effect: 'external' } };
  const allowed: RunEventBody = { type: 'tool.decided', payload: { call_id: 'call_1', decision: 'allow', rule: 'policy_auto' } };

  test.each<[string, readonly RunEventBody[], CallItem['status'], boolean]>([
    ['completed', [allowed, started, { type: 'tool.completed', payload: { call_id: 'call_1', output: 'ok', truncated: false, exit_code: 0 } }], 'completed', false],
    ['a bad exit', [allowed, started, { type: 'tool.completed', payload: { call_id: 'call_1', output: '', truncated: false, exit_code: 1 } }], 'completed', true],
    ['failed before it began', [{ type: 'tool.failed', payload: { call_id: 'call_1', code: 'invalid', message: 'no' } }], 'failed', true],
    ['denied', [{ type: 'tool.decided', payload: { call_id: 'call_1', decision: 'deny', rule: 'policy_read_only' } }, { type: 'tool.denied', payload: { call_id: 'call_1', rule: 'policy_read_only' } }], 'denied', true],
    ['unknown', [allowed, started, { type: 'tool.unknown', payload: { call_id: 'call_1', reason: 'lease_expired' } }], 'unknown', true],
    ['withdrawn', [{ type: 'tool.withdrawn', payload: { call_id: 'call_1', reason: 'cancelled' } }], 'withdrawn', false],
    ['in flight', [allowed, started], 'running', false],
  ])('%s', (_name, rest, status, failure) => {
    const groups = buildTimeline(log(request, responded, propose('call_1'), ...rest));
    expect(groups).toHaveLength(1);
    expect(groups[0]?.items).toHaveLength(1);
    const item = callIn(log(request, responded, propose('call_1'), ...rest));
    expect([item.status, isFailure(item)]).toEqual([status, failure]);
  });
});

test('a window that begins in the middle shows what it holds', () => {
  const groups = buildTimeline(
    log(
      { type: 'tool.completed', payload: { call_id: 'call_9', output: 'late', truncated: false } },
      { type: 'usage.recorded', payload: { request_id: 'req_9', model: 'm', input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0, cost_micro_usd: null, state: 'known' } },
      request,
    ),
    { call_9: { name: 'edit' } },
  );
  expect(groups.map((group) => group.request?.requestId ?? null)).toEqual([null, 'req_9', 'req_1']);
  expect(groups[0]?.items[0]).toMatchObject({ kind: 'call', name: 'edit', status: 'completed', output: 'late' });
});

test('an event of a later version is shown', () => {
  const events = [{ seq: 1, timestamp: '2026-01-01T00:00:00.000Z', type: 'moon.rose', payload: { full: true } }] as unknown as RunEvent[];
  expect(buildTimeline(events)[0]?.items).toMatchObject([{ kind: 'mark', event: { type: 'moon.rose' } }]);
});
