import { describe, expect, it } from 'vitest';
import { CLAIM, RUN, call, command, done, fail, firstOf, outcome, place, play, request, respond, round, running, start, submit, usage, write } from '@/lib/testing/play-run';
import { NO_OTHERS } from './complete';
import { parseEvent, type RunEvent } from './event';
import { evolve, fold, usageOf } from './evolve';
import { objectionsTo } from './objections';
import { carry, carryToNewTurn } from './state';

describe('a log', () => {
  it('gives no state before its run is queued', () => {
    const { events } = play(null, submit(firstOf()));
    expect(events.map((event) => event.type)).toEqual(['command.accepted', 'run.queued', 'message.appended']);
    expect(fold(RUN, [])).toBeNull();
    expect(fold(RUN, events.slice(0, 1))).toBeNull();
    expect(fold(RUN, events)).toMatchObject({ status: 'queued', runId: RUN, seq: 3 });
  });

  it('that does not begin at its beginning is not folded', () => {
    const { events } = running();
    expect(() => fold(RUN, events.slice(2))).toThrow(/begins with message\.appended/);
    expect(() => evolve(null, RUN, place({ type: 'run.queued', payload: { reason: 'woken' } }, 1))).toThrow(/begins in the middle/);
  });

  it('is not folded when an event does not parse', () => {
    const stored = { seq: 1, timestamp: 't' };
    expect(() => parseEvent({ ...stored, type: 'tool.started', payload: { call_id: 'call_1' } })).toThrow();
    expect(() => parseEvent({ ...stored, type: 'no.such', payload: {} })).toThrow();
    expect(() => parseEvent({ ...stored, type: 'usage.recorded', payload: { request_id: 'r', model: 'm', input_tokens: -1, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, cost_micro_usd: 0, state: 'known' } })).toThrow();
  });

  it('may have gaps: the state names the seq of its last event', () => {
    const { events } = running();
    const gapped = events.map((event) => ({ ...event, seq: event.seq * 10 })) as RunEvent[];
    expect(fold(RUN, gapped)).toEqual({ ...fold(RUN, events), seq: events.length * 10 });
  });

  it('is folded without a change to any state on the way', () => {
    const before = running().state;
    const copy = structuredClone(before);
    play({ state: before, events: [], messages: [] }, request('1'), respond('1', { calls: [write('a')] }), start('a'), done('a'));
    expect(before).toEqual(copy);
  });
});

describe('the fold', () => {
  it('knows who holds the run and in which epoch', () => {
    const released = play(running(), { type: 'release', reason: 'stopping' });
    expect(released.state).toMatchObject({ status: 'queued', leaseEpoch: 1 });
    expect(play(released, { ...CLAIM, leaseEpoch: 2 }).state).toMatchObject({ status: 'running', leaseEpoch: 2 });
  });

  it('knows what the run waits for, while it waits', () => {
    const waiting = play(running(), { type: 'wait', reason: 'budget' });
    expect(waiting.state).toMatchObject({ status: 'waiting', waitingFor: 'budget' });
    expect(play(waiting, { type: 'wake' }).state).toMatchObject({ status: 'queued', waitingFor: null });
    expect(play(waiting, { type: 'cancel', commandId: 'c', by: 'local', others: NO_OTHERS }).state).toMatchObject({ status: 'cancelled', waitingFor: null });
  });

  it('counts a settled request as the scripted model does: responded and failed, not aborted', () => {
    const settled = play(round(running(), '1', call('a')), start('a'), done('a'), request('2'), fail('2'), request('3'), { type: 'release', reason: 'stopping' });
    expect(settled.state).toMatchObject({ settledRequests: 2, rounds: 1 });
    expect(carry(settled.state).settled_requests).toBe(2);
  });

  it('tells a missing approval from a tool’s own permission error', () => {
    const own = play(round(running(), '1', command('a')), start('a'), outcome('a', { kind: 'failed', code: 'permission_denied', message: 'EACCES' }));
    expect(own.state.approvalRefusals).toBe(0);
    expect(round(running(), '1', write('a', { decision: { verdict: 'ask', rule: 'policy_ask' } })).state.approvalRefusals).toBe(1);
    expect(round(running(), '1', command('a', { decision: { verdict: 'ask', rule: 'policy_ask' } })).state.approvalRefusals).toBe(0);
    expect(round(running(), '1', command('a', { decision: { verdict: 'deny', rule: 'policy' } })).state.approvalRefusals).toBe(0);
  });

  it('reads unknown usage as unknown, never as 0', () => {
    const counts = { input_tokens: null, output_tokens: null, cached_tokens: null, reasoning_tokens: null, cost_micro_usd: null };
    expect(usageOf({ request_id: 'r', model: 'm', ...counts, state: 'unknown', reason: 'aborted' })).toEqual({ state: 'unknown', reason: 'aborted' });
    expect(usageOf({ request_id: 'r', model: 'm', ...counts, state: 'known' })).toMatchObject({ state: 'unknown' });
  });
});

describe('what a run leaves to the next', () => {
  const worked = play(
    play(round(running({}, { tokens: 100, cost_micro_usd: 10, settled_requests: 3, changed_paths: ['old.ts'] }), '1', write('a'), call('p')), start('a'), done('a', { changedPaths: ['new.ts'] }), start('p'), outcome('p', { kind: 'plan_updated', items: [{ text: 'x', status: 'pending' }] })),
    request('2'),
    respond('2', { text: 'done', usage: usage(5, 5), costMicroUsd: 1 }),
  ).state;

  it('of the same turn: its edits, paths, plan and spending, added to what it was given', () => {
    expect(carry(worked)).toEqual({
      settled_requests: 5,
      edits: { attempted: 1, succeeded: 1, unknown: 0 },
      approval_refusals: 0,
      step_completed: null,
      changed_paths: ['old.ts', 'new.ts'],
      plan: [{ text: 'x', status: 'pending' }],
      tokens: 121,
      cost_micro_usd: 16,
    });
  });

  it('of the same turn: that its evidence was accepted, and with how many edits attempted by then', () => {
    const ended = { kind: 'step_ended', success: true, evidence: { summary: 'done', files_changed: [] }, differing: new Map() } as const;
    const accepted = play(round(running(), '1', write('a'), call('s')), start('a'), outcome('a', { kind: 'failed', code: 'read_only', message: 'no' }), start('s'), outcome('s', ended)).state;
    expect(carry(accepted).step_completed).toEqual({ edits_attempted: 1 });
    const next = running({}, carry(accepted)).state;
    expect(next.step).toMatchObject({ status: 'completed', editsAttempted: 1 });
    expect(objectionsTo(next, 'equal')).toEqual([]);
  });

  it('of a new turn: only its place in the conversation, so that a write of the last turn is none of this one', () => {
    expect(carryToNewTurn(worked)).toEqual({
      settled_requests: 5,
      edits: { attempted: 0, succeeded: 0, unknown: 0 },
      approval_refusals: 0,
      step_completed: null,
      changed_paths: [],
      plan: [],
      tokens: 0,
      cost_micro_usd: 0,
    });
  });
});
