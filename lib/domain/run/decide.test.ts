// Longer than other files: it is one table, every status by every input.
import { describe, expect, it } from 'vitest';
import { CLAIM, call, command, done, fail, firstOf, play, request, respond, running, says, start, submit, write } from '@/lib/testing/play-run';
import type { Objection } from '../delivery';
import type { CallId } from '../id';
import { CALL_INPUTS, CALL_STATUSES, hasEnded, nextCallStatus, type CallInput, type CallStatus } from '../tool-call';
import { NO_OTHERS } from './complete';
import { decide, type Rejection } from './decide';
import type { EventType } from './event';
import type { InputOf, RunInput, RunInputType } from './input';
import type { RunState } from './state';
import { isTerminal, RUN_STATUSES, type RunStatus, type TerminalStatus } from './status';

/**
 * Every situation of a run × every input → what happens: the events' types, or why
 * not. Each table is a Record over the union it covers, so that a new status or a
 * new input without an expectation does not compile.
 */
type Situation = 'absent' | RunStatus | 'requesting' | 'call_ready' | 'call_running' | 'answered' | 'delivered' | 'verifying' | 'blocked_not_ended';
type Expected = readonly EventType[] | Rejection['code'];

const cancelInput: InputOf<'cancel'> = { type: 'cancel', commandId: 'cmd_cancel', by: 'signal:SIGINT', others: NO_OTHERS };
const end = (reason: InputOf<'end'>['reason']): InputOf<'end'> => ({ type: 'end', reason, others: NO_OTHERS });
const finish = end({ kind: 'finished' });
const deliver: InputOf<'record_delivery'> = { type: 'record_delivery', verdict: 'accepted', objections: [] };
const check: InputOf<'start_verification'> = { type: 'start_verification', command: 'npm test' };
const checked = (success: boolean): InputOf<'complete_verification'> => ({
  type: 'complete_verification',
  result: { command: 'npm test', success, exit_code: success ? 0 : 1, stdout: '', stderr: '' },
});

const INPUTS: { readonly [T in RunInputType]: InputOf<T> } = {
  submit: submit(firstOf()),
  claim: CLAIM,
  release: { type: 'release', reason: 'worker_stopping' },
  wait: { type: 'wait', reason: 'budget' },
  wake: { type: 'wake' },
  request_model: request('new'),
  model_responded: respond('open', { text: 'hello' }),
  model_failed: fail('open'),
  start_call: start('open'),
  end_call: done('open'),
  append_message: { type: 'append_message', origin: 'report', text: 'go on' },
  record_delivery: deliver,
  start_verification: check,
  complete_verification: checked(true),
  exhaust_budget: { type: 'exhaust_budget', exhausted: { limit: 'tokens', allowed: 10, used: 11, over_by: 1 } },
  end: finish,
  cancel: cancelInput,
  finish_cancel: { type: 'finish_cancel', others: NO_OTHERS },
  expire_lease: { type: 'expire_lease', others: NO_OTHERS },
};

const idle = running();
const requesting = play(idle, request('open'));
const ready = play(requesting, respond('open', { calls: [command('open')] }));
const inFlight = play(ready, start('open'));
const answered = says(idle, 'open', 'all done');
const delivered = play(answered, deliver);
const verifying = play(says(running({ verifier: 'npm test' }), 'open', 'all done'), deliver, check);
const blockedNotEnded = play(idle, request('open'), respond('open', { calls: [call('open')] }), start('open'), {
  type: 'end_call',
  callId: 'call_open',
  outcome: { kind: 'blocker_reported', blockerId: 'blk_1', report: { kind: 'user_decision', summary: 'which?', evidence: [] } },
});

const STATES: { readonly [S in Situation]: RunState | null } = {
  absent: null,
  queued: play(null, submit(firstOf())).state,
  running: idle.state,
  requesting: requesting.state,
  call_ready: ready.state,
  call_running: inFlight.state,
  answered: answered.state,
  delivered: delivered.state,
  verifying: verifying.state,
  blocked_not_ended: blockedNotEnded.state,
  waiting: play(idle, INPUTS.wait).state,
  cancelling: play(inFlight, cancelInput).state,
  succeeded: play(delivered, finish).state,
  verification_failed: play(verifying, checked(false), finish).state,
  blocked: play(blockedNotEnded, finish).state,
  paused: play(idle, end({ kind: 'paused', reason: 'limit', message: 'enough' })).state,
  failed: play(idle, end({ kind: 'harness_failed', class: 'runtime', code: 'x', message: 'x' })).state,
  cancelled: play(idle, cancelInput, INPUTS.finish_cancel).state,
  interrupted: play(idle, INPUTS.expire_lease).state,
};

const NOTHING: { readonly [T in RunInputType]: 'illegal' } = {
  submit: 'illegal',
  claim: 'illegal',
  release: 'illegal',
  wait: 'illegal',
  wake: 'illegal',
  request_model: 'illegal',
  model_responded: 'illegal',
  model_failed: 'illegal',
  start_call: 'illegal',
  end_call: 'illegal',
  append_message: 'illegal',
  record_delivery: 'illegal',
  start_verification: 'illegal',
  complete_verification: 'illegal',
  exhaust_budget: 'illegal',
  end: 'illegal',
  cancel: 'illegal',
  finish_cancel: 'illegal',
  expire_lease: 'illegal',
};
const ENDED = Object.fromEntries(Object.keys(NOTHING).map((type) => [type, 'ended'])) as { readonly [T in RunInputType]: 'ended' };

const IDLE: Record<RunInputType, Expected> = {
  ...NOTHING,
  release: ['run.queued'],
  wait: ['run.waiting'],
  request_model: ['model.requested'],
  model_responded: 'not_open',
  model_failed: 'not_open',
  start_call: 'not_open',
  end_call: 'not_open',
  append_message: ['message.appended'],
  record_delivery: 'not_open',
  complete_verification: 'not_open',
  exhaust_budget: ['budget.exhausted'],
  end: ['run.failed', 'session.completed'],
  cancel: ['command.accepted', 'run.cancelling'],
  expire_lease: ['run.interrupted', 'session.completed'],
};

const EXPECTED: { readonly [S in Situation]: Record<RunInputType, Expected> } = {
  absent: { ...NOTHING, submit: ['command.accepted', 'run.queued', 'message.appended'] },
  queued: {
    ...NOTHING,
    claim: ['run.started'],
    cancel: ['command.accepted', 'run.cancelled', 'session.completed'],
    expire_lease: ['run.interrupted', 'session.completed'],
  },
  waiting: { ...NOTHING, wake: ['run.queued'], cancel: ['command.accepted', 'run.cancelled', 'session.completed'] },
  running: IDLE,
  requesting: {
    ...IDLE,
    release: ['model.failed', 'usage.recorded', 'run.queued'],
    wait: 'illegal',
    request_model: 'illegal',
    append_message: 'illegal',
    model_responded: ['model.responded', 'usage.recorded'],
    model_failed: ['model.failed', 'usage.recorded'],
    end: ['model.failed', 'usage.recorded', 'run.failed', 'session.completed'],
    expire_lease: ['model.failed', 'usage.recorded', 'run.interrupted', 'session.completed'],
  },
  call_ready: {
    ...IDLE,
    request_model: 'illegal',
    append_message: 'illegal',
    start_call: ['tool.started'],
    end: ['tool.withdrawn', 'run.failed', 'session.completed'],
    expire_lease: ['tool.withdrawn', 'run.interrupted', 'session.completed'],
  },
  call_running: {
    ...IDLE,
    release: ['tool.unknown', 'run.queued'],
    request_model: 'illegal',
    append_message: 'illegal',
    end_call: ['tool.completed'],
    end: ['tool.unknown', 'run.failed', 'session.completed'],
    expire_lease: ['tool.unknown', 'run.interrupted', 'session.completed'],
  },
  answered: { ...IDLE, record_delivery: ['delivery.recorded'] },
  delivered: { ...IDLE, start_verification: ['verification.started'], end: ['run.succeeded', 'session.completed'] },
  verifying: { ...IDLE, start_verification: ['verification.started'], complete_verification: ['verification.completed'] },
  blocked_not_ended: { ...IDLE, end: ['run.blocked', 'session.completed'] },
  cancelling: {
    ...NOTHING,
    model_responded: 'not_open',
    model_failed: 'not_open',
    end_call: ['tool.completed'],
    cancel: [],
    finish_cancel: ['tool.unknown', 'run.cancelled', 'session.completed'],
    expire_lease: ['tool.unknown', 'run.cancelled', 'session.completed'],
  },
  succeeded: ENDED,
  verification_failed: ENDED,
  blocked: ENDED,
  paused: ENDED,
  failed: ENDED,
  cancelled: ENDED,
  interrupted: ENDED,
};

const situations = Object.keys(EXPECTED) as Situation[];
const inputTypes = Object.keys(INPUTS) as RunInputType[];

function outcomeOf(state: RunState | null, input: RunInput): Expected {
  const decision = decide(state, input);
  return decision.ok ? decision.events.map((event) => event.type) : decision.rejection.code;
}

describe('decide', () => {
  it('is asked about every status', () => {
    for (const status of RUN_STATUSES) expect(STATES[status]?.status).toBe(status);
  });

  describe.each(situations)('in %s', (situation) => {
    it.each(inputTypes)('%s does what the table says', (type) => {
      expect(outcomeOf(STATES[situation], INPUTS[type])).toEqual(EXPECTED[situation][type]);
    });
  });

  it('a terminal run never changes: no input is accepted in any terminal status', () => {
    const terminal = RUN_STATUSES.filter((status): status is TerminalStatus => isTerminal(status));
    expect(terminal).toHaveLength(7);
    for (const status of terminal) {
      for (const type of inputTypes) {
        expect(decide(STATES[status], INPUTS[type]), `${status} × ${type}`).toEqual({ ok: false, rejection: { code: 'ended', status } });
      }
    }
  });
});

describe('in a running run', () => {
  const ask = (state: RunState, input: RunInput): Expected => outcomeOf(state, input);

  it('an outcome without an intent is not believed, a refusal before the effect is', () => {
    expect(ask(ready.state, done('open'))).toBe('not_open');
    expect(ask(ready.state, { type: 'end_call', callId: 'call_open', outcome: { kind: 'unknown', reason: '?' } })).toBe('not_open');
    expect(ask(ready.state, { type: 'end_call', callId: 'call_open', outcome: { kind: 'failed', code: 'path', message: 'outside' } })).toEqual([
      'tool.failed',
    ]);
  });

  it('a call starts once, and ends once', () => {
    expect(ask(inFlight.state, start('open'))).toBe('not_open');
    const ended = play(inFlight, done('open')).state;
    expect(ask(ended, start('open'))).toBe('not_open');
    expect(ask(ended, done('open'))).toBe('not_open');
  });

  it('a call with an effect waits for the calls before it, and holds back those after it', () => {
    const { state } = play(idle, request('1'), respond('1', { calls: [call('a'), write('b'), call('c'), call('d')] }));
    expect(['a', 'b', 'c'].map((id) => ask(state, start(id)))).toEqual([['tool.started'], 'not_open', 'not_open']);
    const readDone = play({ state, events: [], messages: [] }, start('a'), done('a'));
    expect(ask(readDone.state, start('c'))).toBe('not_open');
    const writeDone = play(readDone, start('b'), done('b'));
    // Adjacent calls without effect overlap, in whatever order they begin.
    const overlapping = play(writeDone, start('d'), start('c'));
    expect(overlapping.state.calls.map((open) => open.status)).toEqual(['running', 'running']);
  });

  it('a denied call is proposed, decided and denied in one step, and one that nobody can approve fails at once by the system', () => {
    const decision = decide(
      requesting.state,
      respond('open', {
        calls: [
          write('a', { decision: { verdict: 'deny', rule: 'policy_read_only' } }),
          write('b', { decision: { verdict: 'ask', rule: 'policy_ask' } }),
        ],
      }),
    );
    expect(decision.ok && decision.events.slice(2).map((event) => event.type)).toEqual([
      'tool.proposed',
      'tool.decided',
      'tool.denied',
      'tool.proposed',
      'tool.decided',
      'tool.failed',
    ]);
    expect(decision.ok && decision.events.at(-1)?.payload).toMatchObject({ call_id: 'call_b', code: 'permission_denied', actor: 'system' });
  });

  it('a response cut at its length runs no call', () => {
    const decision = decide(requesting.state, respond('open', { text: 'and then', calls: [write('a')], finishReason: 'length' }));
    expect(decision.ok && decision.events.map((event) => event.type)).toEqual(['model.responded', 'usage.recorded']);
    expect(decision.ok && decision.events[0]?.payload).toMatchObject({ text: 'and then', tool_calls: [] });
  });

  it.each(['', ' \n\t', '\u200b\u00a0\ufeff'])('a response that shows nothing (%j) and calls nothing is empty, and its usage is kept', (text) => {
    const decision = decide(requesting.state, respond('open', { text, reasoning: 'hm' }));
    expect(decision.ok && decision.events.map((event) => event.type)).toEqual(['model.failed', 'usage.recorded']);
    expect(decision.ok && decision.events[0]?.payload).toMatchObject({ class: 'empty_response', code: 'reasoning_only' });
    expect(decision.ok && decision.events[1]?.payload).toMatchObject({ input_tokens: 10, state: 'known' });
  });

  it('the reasoning of a round is recorded, that of a recovery never', () => {
    const recovering = play(idle, request('1'), { ...fail('1'), failure: { ...fail('1').failure, class: 'empty_response' } }, request('open', 'recovery'));
    const reasoningIn = (state: RunState): unknown => {
      const decision = decide(state, respond('open', { text: 'recovered', reasoning: 'secret thought' }));
      return decision.ok && decision.events[0]?.payload;
    };
    expect(reasoningIn(requesting.state)).toHaveProperty('reasoning', 'secret thought');
    expect(reasoningIn(recovering.state)).not.toHaveProperty('reasoning');
  });

  it('an accepted answer never stands beside a hard objection', () => {
    const hard: Objection = { severity: 'hard', code: 'no_edit_succeeded', attempted: 1 };
    const soft: Objection = { severity: 'soft', code: 'plan_open', items: ['x'] };
    expect(ask(answered.state, { ...deliver, objections: [soft, hard] })).toBe('illegal');
    expect(ask(answered.state, { ...deliver, objections: [soft] })).toEqual(['delivery.recorded']);
    expect(ask(answered.state, { type: 'record_delivery', verdict: 'unresolved', objections: [hard] })).toEqual(['delivery.recorded']);
  });

  it('the first blocker stands: a later one of the same response, or a completed step, changes nothing of it', () => {
    const two = play(idle, request('1'), respond('1', { calls: [call('a'), call('b'), call('c')] }), start('a'), start('b'), start('c'));
    const report = (id: CallId, blockerId: `blk_${string}`): InputOf<'end_call'> => ({
      type: 'end_call',
      callId: id,
      outcome: { kind: 'blocker_reported', blockerId, report: { kind: 'user_decision', summary: blockerId, evidence: [] } },
    });
    const ended = play(two, report('call_a', 'blk_1'), report('call_b', 'blk_2'), {
      type: 'end_call',
      callId: 'call_c',
      outcome: { kind: 'step_ended', success: true, evidence: { summary: 'done', files_changed: [] }, differing: new Map() },
    });
    expect(ended.state.blocker?.blocker_id).toBe('blk_1');
    expect(ended.state.step.status).toBe('open');
    expect(ended.state.tally).toMatchObject({ completed: 1, failed: 2 });
  });

  it('an interruption continues by itself only when no call with an effect is in doubt', () => {
    const expire: InputOf<'expire_lease'> = { type: 'expire_lease', others: NO_OTHERS, continuesAs: 'run_next' };
    const reading = play(idle, request('1'), respond('1', { calls: [call('a')] }), start('a'));
    expect(ask(reading.state, expire)).toEqual(['tool.unknown', 'run.interrupted']);
    expect(ask(inFlight.state, expire)).toEqual(['tool.unknown', 'run.interrupted', 'session.completed']);
  });

  it('a worker that stops while reading lets the call fail as aborted, since no effect is in doubt', () => {
    const reading = play(idle, request('1'), respond('1', { calls: [call('a')] }), start('a'));
    const decision = decide(reading.state, INPUTS.release);
    expect(decision.ok && decision.events[0]).toMatchObject({ type: 'tool.failed', payload: { code: 'aborted' } });
  });
});

describe('a tool call', () => {
  /** null: the input means nothing there. */
  const CALLS: { readonly [S in CallStatus]: { readonly [I in CallInput]: CallStatus | null } } = {
    proposed: row({ allow: 'ready', ask: 'waiting_for_approval', deny: 'denied', withdraw: 'withdrawn' }),
    waiting_for_approval: row({ allow: 'ready', deny: 'denied', fail: 'failed', withdraw: 'withdrawn' }),
    ready: row({ start: 'running', fail: 'failed', withdraw: 'withdrawn' }),
    running: row({ complete: 'completed', fail: 'failed', lose: 'unknown' }),
    completed: row({}),
    failed: row({}),
    denied: row({}),
    withdrawn: row({}),
    unknown: row({}),
  };

  function row(moves: Partial<Record<CallInput, CallStatus>>): { readonly [I in CallInput]: CallStatus | null } {
    return { allow: null, ask: null, deny: null, start: null, complete: null, fail: null, lose: null, withdraw: null, ...moves };
  }

  it.each(CALL_STATUSES.flatMap((status) => CALL_INPUTS.map((input) => [status, input] as const)))('%s × %s', (status, input) => {
    expect(nextCallStatus(status, input)).toBe(CALLS[status][input]);
  });

  it('has ended exactly in its five outcomes', () => {
    expect(CALL_STATUSES.filter(hasEnded)).toEqual(['completed', 'failed', 'denied', 'withdrawn', 'unknown']);
  });
});
