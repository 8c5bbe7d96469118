import { describe, expect, it } from 'vitest';
import { CLAIM, RUN, call, command, done, empty, fail, play, request, respond, round, running, says, start, usage, write, type Played } from '@/lib/testing/play-run';
import { walk } from '@/lib/testing/random-run';
import { NO_OTHERS } from './complete';
import { decide } from './decide';
import { evolve } from './evolve';
import type { InputOf, RunInput } from './input';
import { callsLeft, nextStep, type Bounds, type NextStep } from './next-step';
import { NO_LIMITS, type Limits } from './settings';
import type { RunState } from './state';

const BOUNDS: Bounds = { modelRetries: 2, workedSeconds: 0 };
const next = ({ state }: Played, bounds: Partial<Bounds> = {}): NextStep => nextStep(state, { ...BOUNDS, ...bounds });
const limited = (limits: Partial<Limits>): Played => running({ limits: { ...NO_LIMITS, ...limits } });

const accept: InputOf<'record_delivery'> = { type: 'record_delivery', verdict: 'accepted', objections: [] };
const report: InputOf<'append_message'> = { type: 'append_message', origin: 'report', text: 'go on' };
const checked = (success: boolean | null): InputOf<'complete_verification'> => ({
  type: 'complete_verification',
  result: { command: 'npm test', success, exit_code: success === null ? null : success ? 0 : 1, stdout: '', stderr: '' },
});
const ROUND: NextStep = { kind: 'request_model', purpose: 'round', retryOf: null };

describe('a run begins with a request', () => {
  it('and after all calls of a round have ended, asks again', () => {
    expect(next(running())).toEqual(ROUND);
    const proposed = round(running(), '1', call('a'), call('b'));
    expect(next(proposed)).toEqual({ kind: 'run_calls' });
    const half = play(proposed, start('a'), done('a'));
    expect(next(half)).toEqual({ kind: 'run_calls' });
    expect(next(play(half, start('b'), done('b')))).toEqual(ROUND);
  });
});

describe('a plain answer', () => {
  const answered = says(running(), '1', 'all done');

  it('is weighed, then the run ends', () => {
    expect(next(answered)).toEqual({ kind: 'weigh_answer', answer: 'all done' });
    expect(next(play(answered, accept))).toEqual({ kind: 'finish' });
  });

  it('that got a report is answered by the model anew', () => {
    const reported = play(answered, { ...report, objections: [{ severity: 'soft', code: 'plan_open', items: ['x'] }] });
    expect(reported.state.objectionsReported).toHaveLength(1);
    expect(next(reported)).toEqual(ROUND);
  });

  it('beside calls is none: the calls run', () => {
    const both = play(running(), request('1'), respond('1', { text: 'I will look', calls: [call('a')] }));
    expect(both.state.answer).toBeNull();
    expect(next(both)).toEqual({ kind: 'run_calls' });
  });

  it('is weighed even when the last round that is allowed brought it', () => {
    expect(next(says(limited({ rounds: 1, tokens: 1 }), '1', 'all done')).kind).toBe('weigh_answer');
  });
});

describe('the verifier', () => {
  const answered = says(running({ verifier: 'npm test' }), '1', 'all done');

  it('runs after the delivery is recorded and before the end, whatever it says', () => {
    expect(next(answered).kind).toBe('weigh_answer');
    const delivered = play(answered, accept);
    expect(next(delivered)).toEqual({ kind: 'verify', command: 'npm test' });
    const started = play(delivered, { type: 'start_verification', command: 'npm test' });
    expect(next(started), 'begun by a worker that stopped').toEqual({ kind: 'verify', command: 'npm test' });
    for (const success of [true, false, null]) expect(next(play(started, checked(success)))).toEqual({ kind: 'finish' });
  });

  it('runs for an unresolved answer too', () => {
    expect(next(play(answered, { ...accept, verdict: 'unresolved' })).kind).toBe('verify');
  });

  it('never runs for a blocker, not even beside calls that have not begun', () => {
    const blocked = play(round(running({ verifier: 'npm test' }), '1', call('a'), command('b')), start('a'), {
      type: 'end_call',
      callId: 'call_a',
      outcome: { kind: 'blocker_reported', blockerId: 'blk_1', report: { kind: 'missing_authority', summary: 'no key', evidence: [] } },
    });
    expect(next(blocked)).toEqual({ kind: 'finish' });
    expect(decide(blocked.state, { type: 'start_verification', command: 'npm test' })).toMatchObject({ ok: false });
  });
});

describe('limits pause at the next boundary', () => {
  it('rounds: the calls of the last one still run', () => {
    const last = round(limited({ rounds: 1 }), '1', call('a'));
    expect(next(last)).toEqual({ kind: 'run_calls' });
    expect(next(play(last, start('a'), done('a')))).toMatchObject({ kind: 'pause', reason: 'limit' });
  });

  it('tool calls: no call beyond the limit runs, and the last one that is allowed is still answered', () => {
    const two = round(limited({ tool_calls: 1 }), '1', call('a'), call('b'));
    expect(callsLeft(two.state)).toBe(1);
    const one = play(two, start('a'), done('a'));
    expect(callsLeft(one.state)).toBe(0);
    expect(next(one)).toMatchObject({ kind: 'pause', reason: 'limit' });

    const exact = play(round(limited({ tool_calls: 1 }), '1', call('a')), start('a'), done('a'));
    expect(next(exact)).toEqual(ROUND);
    expect(next(says(exact, '2', 'all done')).kind).toBe('weigh_answer');
  });

  it('tool calls: denied ones count, so an agent that only asks for the forbidden ends too', () => {
    const denied = { decision: { verdict: 'deny', rule: 'policy_read_only' } } as const;
    const over = round(limited({ tool_calls: 1 }), '1', write('a', denied), write('b', denied));
    expect(over.state.calls).toEqual([]);
    expect(next(over)).toMatchObject({ kind: 'pause', reason: 'limit' });
  });

  it('wall time: before a request and before a call', () => {
    const timed = limited({ wall_seconds: 60 });
    expect(next(timed, { workedSeconds: 59.9 })).toEqual(ROUND);
    expect(next(timed, { workedSeconds: 60 })).toMatchObject({ kind: 'pause', reason: 'limit' });
    expect(next(round(timed, '1', call('a')), { workedSeconds: 61 })).toMatchObject({ kind: 'pause', reason: 'limit' });
  });

  it('without limits there is no end of calls', () => {
    expect(callsLeft(running().state)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('budgets of a turn', () => {
  it('are recorded as exhausted by how much, then pause', () => {
    const over = play(limited({ tokens: 100 }), request('1'), respond('1', { calls: [call('a')], usage: usage(90, 15, 80) }), start('a'), done('a'));
    const step = next(over);
    expect(step).toEqual({ kind: 'exhaust_budget', exhausted: { limit: 'tokens', allowed: 100, used: 105, over_by: 5 } });
    if (step.kind !== 'exhaust_budget') throw new Error('unreachable');
    expect(next(play(over, { type: 'exhaust_budget', exhausted: step.exhausted }))).toMatchObject({ kind: 'pause', reason: 'budget_exhausted' });
  });

  it('count what earlier generations used, in tokens and in money', () => {
    expect(next(running({ limits: { ...NO_LIMITS, tokens: 100 } }, { tokens: 99 }))).toEqual(ROUND);
    expect(next(running({ limits: { ...NO_LIMITS, tokens: 100 } }, { tokens: 100 })).kind).toBe('exhaust_budget');
    expect(next(running({ limits: { ...NO_LIMITS, cost_micro_usd: 7 } }, { cost_micro_usd: 7 }))).toMatchObject({
      kind: 'exhaust_budget',
      exhausted: { limit: 'cost_micro_usd', allowed: 7, used: 7, over_by: 0 },
    });
  });

  it('are not spent by usage that is unknown, which is counted apart', () => {
    expect(next(play(limited({ tokens: 1 }), request('1'), fail('1'))).kind).toBe('request_model');
  });
});

describe('a transport failure', () => {
  const failing = (times: number, from = running()): Played =>
    Array.from({ length: times }, (_, index) => String(index)).reduce((played, id) => play(played, request(id), fail(id)), from);

  it('is tried again until the retries are used up, then pauses', () => {
    expect(next(failing(1))).toMatchObject({ kind: 'request_model', purpose: 'round', retryOf: { class: 'overload' } });
    expect(next(failing(2)).kind).toBe('request_model');
    expect(next(failing(3))).toMatchObject({ kind: 'pause', reason: 'provider_unavailable' });
    expect(next(failing(1), { modelRetries: 0 })).toMatchObject({ kind: 'pause', reason: 'provider_unavailable' });
  });

  it('counts in a row: an answer between two failures begins anew', () => {
    const between = play(play(failing(2), request('ok'), respond('ok', { calls: [call('a')] }), start('a'), done('a')), request('x'), fail('x'));
    expect(between.state.failedAttempts).toBe(1);
    expect(next(between).kind).toBe('request_model');
  });

  it('numbers its attempts from 1', () => {
    const attempts = play(failing(2), request('x')).events.flatMap((event) => (event.type === 'model.requested' ? [event.payload.attempt] : []));
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('for good fails the run at once, also where a limit is reached beside it', () => {
    const refused = play(running(), request('1'), fail('1', { class: 'auth', code: '401', retryable: false }));
    expect(next(refused)).toEqual({ kind: 'fail_provider' });
    const late = play(limited({ wall_seconds: 1 }), request('1'), fail('1', { class: 'auth', retryable: false }));
    expect(next(late, { workedSeconds: 5 })).toEqual({ kind: 'fail_provider' });
  });

  it('that was our own abort is none', () => {
    const stopped = play(running(), request('1'), fail('1', { class: 'aborted', code: 'stopping', retryable: false }));
    expect(stopped.state).toMatchObject({ failedAttempts: 0, lastFailure: null, settledRequests: 0 });
    expect(next(stopped)).toEqual(ROUND);
  });
});

describe('an empty response', () => {
  const once = play(running(), request('1'), empty('1'));
  const recovering = play(once, request('2', 'recovery'));
  const RECOVERY = { kind: 'request_model', purpose: 'recovery' };

  it('gets one recovery, apart from the transport retries, and its usage is kept', () => {
    expect(next(once, { modelRetries: 0 })).toEqual({ ...RECOVERY, retryOf: null });
    expect(once.state.failedAttempts).toBe(0);
    const recovered = play(recovering, respond('2', { text: 'recovered', usage: usage(19, 6) }));
    expect(next(recovered)).toEqual({ kind: 'weigh_answer', answer: 'recovered' });
    expect(recovered.state.usage).toMatchObject({ inputTokens: 36, outputTokens: 10 });
  });

  it('twice pauses, both counted', () => {
    const twice = play(recovering, empty('2'));
    expect(next(twice)).toMatchObject({ kind: 'pause', reason: 'empty_response' });
    expect(twice.state.usage).toMatchObject({ inputTokens: 34, outputTokens: 8, unknownRequests: 0 });
  });

  it('may be recovered once in every round', () => {
    const later = play(play(recovering, respond('2', { calls: [call('a')] }), start('a'), done('a')), request('3'), empty('3'));
    expect(next(later)).toMatchObject(RECOVERY);
  });

  it('whose recovery met a transport failure is recovered again, as a retry', () => {
    const failed = play(recovering, fail('2'));
    expect(next(failed)).toMatchObject({ ...RECOVERY, retryOf: { class: 'overload' } });
    expect(next(play(failed, request('3', 'recovery'), empty('3')))).toMatchObject({ kind: 'pause', reason: 'empty_response' });
  });

  it('whose recovery was aborted by a stopping worker is recovered by the next one', () => {
    const released = play(recovering, { type: 'release', reason: 'worker_stopping' }, { ...CLAIM, leaseEpoch: 2 });
    expect(next(released)).toEqual({ ...RECOVERY, retryOf: null });
    const afterFailure = play(recovering, fail('2'), request('3', 'recovery'), { type: 'release', reason: 'worker_stopping' }, { ...CLAIM, leaseEpoch: 2 });
    expect(next(afterFailure)).toMatchObject(RECOVERY);
  });

  it('leaves the conversation as it was', () => {
    expect(once.messages).toEqual(running().messages);
  });
});

describe('a cut answer', () => {
  const cut = (from: Played, id: string): Played => play(from, request(id), respond(id, { text: 'and then', finishReason: 'length' }));
  const first = cut(running(), '1');

  it('is no delivery: its text is kept and one report asks to continue', () => {
    expect(first.state.answer).toBeNull();
    expect(first.messages.at(-1)).toMatchObject({ role: 'assistant', text: 'and then' });
    expect(next(first)).toEqual({ kind: 'ask_to_continue' });
    expect(next(play(first, report))).toEqual(ROUND);
  });

  it('after a cut answer pauses the run', () => {
    expect(next(cut(play(first, report), '2'))).toMatchObject({ kind: 'pause', reason: 'truncated' });
  });

  it('counts in a row: a whole answer in between begins anew', () => {
    const whole = play(round(play(first, report), '2', call('a')), start('a'), done('a'));
    expect(next(cut(whole, '3'))).toEqual({ kind: 'ask_to_continue' });
  });
});

describe('a step that the agent reports as failed', () => {
  it('ends the run as reported, after the verifier', () => {
    const failed = play(round(running({ verifier: 'npm test' }), '1', call('a'), call('b')), start('a'), {
      type: 'end_call',
      callId: 'call_a',
      outcome: { kind: 'step_ended', success: false, evidence: {}, reason: 'no network', differing: new Map() },
    });
    expect(next(failed)).toEqual({ kind: 'verify', command: 'npm test' });
    const verified = play(failed, { type: 'start_verification', command: 'npm test' }, checked(true));
    expect(next(verified)).toEqual({ kind: 'finish' });
    const ended = play(verified, { type: 'end', reason: { kind: 'finished' }, others: NO_OTHERS });
    expect(ended.state.terminal).toEqual({ status: 'failed', class: 'reported', code: 'step_failed', message: 'no network' });
  });
});

describe('whatever comes next is accepted', () => {
  /** What a driver puts when it is told to do this. */
  const INPUT: { readonly [K in NextStep['kind']]: (step: Extract<NextStep, { kind: K }>, state: RunState) => RunInput } = {
    run_calls: (_step, { calls: [first] }) =>
      first?.status === 'running' ? done(first.callId.slice('call_'.length)) : { type: 'start_call', callId: first?.callId ?? 'call_none' },
    weigh_answer: () => ({ ...accept, verdict: 'unresolved' }),
    verify: (step) => ({ type: 'start_verification', command: step.command }),
    finish: () => ({ type: 'end', reason: { kind: 'finished' }, others: NO_OTHERS }),
    ask_to_continue: () => report,
    exhaust_budget: (step) => ({ type: 'exhaust_budget', exhausted: step.exhausted }),
    pause: (step) => ({ type: 'end', reason: { kind: 'paused', reason: step.reason, message: step.message }, others: NO_OTHERS }),
    fail_provider: () => ({ type: 'end', reason: { kind: 'provider_failed' }, others: NO_OTHERS }),
    request_model: (step) => request('fresh', step.purpose),
  };

  it('at every boundary of 500 random runs: a driver that follows it never turns in circles', () => {
    const seen = new Set<NextStep['kind']>();
    for (let seed = 0; seed < 500; seed += 1) {
      let state: RunState | null = null;
      for (const event of walk(seed).events) {
        state = evolve(state, RUN, event);
        if (state?.status !== 'running' || state.openRequest !== null) continue;
        // In the middle of one decision calls are proposed and not yet decided: no boundary.
        if (state.calls.some((open) => open.status === 'proposed' || open.status === 'waiting_for_approval')) continue;
        if (event.type === 'model.responded' || event.type === 'model.failed') continue;
        const step = nextStep(state, BOUNDS);
        seen.add(step.kind);
        const input = (INPUT[step.kind] as (step: NextStep, state: RunState) => RunInput)(step, state);
        expect(decide(state, input), `seed ${seed}, seq ${event.seq}: ${step.kind} → ${input.type}`).toMatchObject({ ok: true });
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(INPUT).sort());
  });
});
