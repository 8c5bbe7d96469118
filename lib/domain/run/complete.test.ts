import { describe, expect, it } from 'vitest';
import { call, command, done, fail, outcome, play, refused, request, respond, round, running, says, start, usage, write, type Played } from '@/lib/testing/play-run';
import { NO_OTHERS } from './complete';
import { completionSchema, type Completion } from './completion';
import type { EndReason, InputOf, OtherTotals } from './input';

const finish = (reason: EndReason = { kind: 'finished' }, others: OtherTotals = NO_OTHERS): InputOf<'end'> => ({ type: 'end', reason, others });
const deliver = (verdict: 'accepted' | 'unresolved' = 'accepted'): InputOf<'record_delivery'> => ({ type: 'record_delivery', verdict, objections: [] });

function completionOf({ events }: Played): Completion {
  const last = events.at(-1);
  if (last?.type !== 'session.completed') throw new Error(`the last event is ${last?.type ?? 'none'}`);
  return last.payload;
}

const reportsBlocker = (from: Played): Played =>
  play(round(from, 'b', call('b', { name: 'report_blocker' })), start('b'), {
    type: 'end_call',
    callId: 'call_b',
    outcome: {
      kind: 'blocker_reported',
      blockerId: 'blk_1',
      report: { kind: 'user_decision', summary: 'Which database?', question: 'A or B?', evidence: [] },
    },
  });

describe('session.completed', () => {
  it('of a blocked run is the object of the contract, key for key', () => {
    const commands = ['1', '2'].reduce((from, id) => play(round(from, id, command(id)), start(id), done(id, { exitCode: 1 })), running({ verifier: 'npm test' }));
    const refusals = ['3', '4', '5', '6', '7', '8', '9', '10'].reduce((from, id) => play(round(from, id, write(id)), refused(id)), commands);
    const completion = completionOf(play(reportsBlocker(refusals), finish()));
    expect(completion).toStrictEqual({
      status: 'blocked',
      exit_code: 5,
      writes_applied: false,
      writes_unknown: 0,
      effects: { commands: 2, external: 0 },
      done: { work: 'no', verified: 'not_run', delivered: 'no' },
      objections: [],
      verification: { state: 'not_run', reason: 'blocked', command: 'npm test' },
      session_id: 'ses_test',
      turn_id: 'trn_test',
      generation: 1,
      final_text: null,
      usage: {
        input_tokens: 110,
        output_tokens: 11,
        cached_tokens: 0,
        reasoning_tokens: 0,
        total_tokens: 121,
        cost_micro_usd: 55,
        cost_usd: 0.000055,
        unpriced_requests: 0,
        unknown_requests: 0,
      },
      tool_calls: { completed: 3, failed: 8, denied: 0, unknown: 0, withdrawn: 0 },
      terminal: {
        blocked: { blocker: { blocker_id: 'blk_1', kind: 'user_decision', summary: 'Which database?', question: 'A or B?', evidence: [] } },
      },
    });
    expect(completionSchema.parse(completion)).toEqual(completion);
  });

  it('names no session where the history is not kept, and such a pause is not resumable', () => {
    const paused = finish({ kind: 'paused', reason: 'limit', message: 'enough' });
    const forgotten = completionOf(play(running({ resumable: false }), paused));
    expect(forgotten).not.toHaveProperty('session_id');
    expect(forgotten.terminal).toEqual({ paused: { reason: 'limit', resumable: false, message: 'enough' } });
    const kept = completionOf(play(running({ resumable: true }), paused));
    expect(kept.session_id).toBe('ses_test');
    expect(kept.terminal.paused?.resumable).toBe(true);
  });

  it('covers the whole turn: the other runs are added, once', () => {
    const others: OtherTotals = {
      usage: { input_tokens: 100, output_tokens: 10, cached_tokens: 50, reasoning_tokens: 5, total_tokens: 110, cost_micro_usd: 1_000, cost_usd: 0.001, unpriced_requests: 1, unknown_requests: 2 },
      tool_calls: { completed: 1, failed: 2, denied: 3, unknown: 4, withdrawn: 5 },
      effects: { commands: 6, external: 7 },
      writes_unknown: 1,
      writes_applied: false,
    };
    // The run carries its first generation's edits, which `others` counts already.
    const second = running({}, { edits: { attempted: 2, succeeded: 0, unknown: 1 }, tokens: 110, cost_micro_usd: 1_000 });
    const lost = play(round(second, '1', write('1')), start('1'), outcome('1', { kind: 'unknown', reason: 'lost' }));
    const completion = completionOf(play(says(lost, '2', 'done'), deliver('unresolved'), finish(undefined, others)));
    expect(completion.usage).toEqual({
      input_tokens: 120, output_tokens: 12, cached_tokens: 50, reasoning_tokens: 5, total_tokens: 132,
      cost_micro_usd: 1_010, cost_usd: 0.00101, unpriced_requests: 1, unknown_requests: 2,
    });
    expect(completion.tool_calls).toEqual({ completed: 1, failed: 2, denied: 3, unknown: 5, withdrawn: 5 });
    expect(completion.writes_unknown).toBe(2);
    expect(completion.writes_applied).toBe(false);
    expect(completion.done.work).toBe('unknown');
  });

  it('counts a request without a report as unknown and not as nothing', () => {
    const lost = play(running(), request('1'), respond('1', { calls: [call('a')], usage: usage(17, 4) }), start('a'), done('a'), request('2'));
    const cancelled = play(lost, { type: 'cancel', commandId: 'cmd_1', by: 'signal:SIGINT', others: NO_OTHERS }, { type: 'finish_cancel', others: NO_OTHERS });
    expect(completionOf(cancelled)).toMatchObject({ status: 'cancelled', exit_code: 130, usage: { input_tokens: 17, output_tokens: 4, unknown_requests: 1 } });
    const crashed = play(lost, { type: 'expire_lease', others: NO_OTHERS });
    expect(completionOf(crashed)).toMatchObject({ status: 'interrupted', exit_code: 6, usage: { input_tokens: 17, output_tokens: 4, unknown_requests: 1 } });
  });

  it('tells commands from other external effects, and counts what began, not what was refused', () => {
    const mcp = call('m', { name: 'mcp_search', effect: 'external' });
    const ran = play(round(running(), '1', command('c'), mcp, command('d')), start('c'), done('c'), start('m'), done('m'), refused('d', 'no_sandbox'));
    expect(completionOf(play(says(ran, '2', 'done'), deliver(), finish())).effects).toEqual({ commands: 1, external: 1 });
  });
});

describe('no signal stands in for another', () => {
  const wrote = (from: Played): Played => play(round(from, 'w', write('w')), start('w'), done('w', { changedPaths: ['a.ts'] }));
  const verified = (from: Played, result: Partial<InputOf<'complete_verification'>['result']>): Played =>
    play(
      from,
      { type: 'start_verification', command: 'npm test' },
      { type: 'complete_verification', result: { command: 'npm test', success: true, exit_code: 0, stdout: '', stderr: '', ...result } },
    );

  it('a success without a write is a success, and no write', () => {
    expect(completionOf(play(says(running(), '1', 'It is 42.'), deliver(), finish()))).toMatchObject({
      status: 'succeeded', exit_code: 0, writes_applied: false, final_text: 'It is 42.',
      done: { work: 'no', verified: 'not_configured', delivered: 'yes' },
      verification: { state: 'not_configured' },
      terminal: { succeeded: {} },
    });
  });

  it('a write does not make a blocked run a success, nor a passed check of it', () => {
    expect(completionOf(play(reportsBlocker(wrote(running({ verifier: 'npm test' }))), finish()))).toMatchObject({
      status: 'blocked', exit_code: 5, writes_applied: true,
      done: { work: 'yes', verified: 'not_run', delivered: 'no' },
      verification: { state: 'not_run', reason: 'blocked' },
    });
  });

  it('work that could not be delivered stays visible in the pause', () => {
    expect(completionOf(play(wrote(running()), finish({ kind: 'paused', reason: 'provider_unavailable', message: 'away' })))).toMatchObject({
      status: 'paused', exit_code: 4, writes_applied: true, done: { work: 'yes', delivered: 'no' }, final_text: null,
    });
  });

  it('a failed check is told beside the work and the delivery', () => {
    const delivered = play(says(wrote(running({ verifier: 'npm test' })), '1', 'done'), deliver());
    expect(completionOf(play(verified(delivered, { success: false, exit_code: 3 }), finish()))).toMatchObject({
      status: 'verification_failed', exit_code: 2, writes_applied: true,
      done: { work: 'yes', verified: 'failed', delivered: 'yes' },
      verification: { state: 'failed', command: 'npm test', exit_code: 3 },
      terminal: { verification_failed: { command: 'npm test', exit_code: 3 } },
    });
  });

  it('a check that could not be executed has neither passed nor failed, and the run does not succeed', () => {
    const delivered = play(says(running({ verifier: 'npm test' }), '1', 'done'), deliver());
    expect(completionOf(play(verified(delivered, { success: null, exit_code: null, reason: 'no sandbox' }), finish()))).toMatchObject({
      status: 'verification_failed', exit_code: 2,
      done: { verified: 'not_run' },
      verification: { state: 'not_run', reason: 'no sandbox', command: 'npm test' },
    });
  });

  it('a run that is ended before its verifier ran is no success', () => {
    const delivered = play(says(running({ verifier: 'npm test' }), '1', 'done'), deliver());
    expect(completionOf(play(delivered, finish()))).toMatchObject({ status: 'failed', exit_code: 1, terminal: { failed: { class: 'runtime', code: 'not_verified' } } });
  });

  it('a run that is ended without a delivery is no success', () => {
    expect(completionOf(play(running(), finish()))).toMatchObject({ status: 'failed', exit_code: 1, terminal: { failed: { class: 'runtime', code: 'nothing_delivered' } } });
  });

  it('accepted evidence is work, without a write', () => {
    const stepped = play(round(running(), '1', call('s')), start('s'), {
      type: 'end_call',
      callId: 'call_s',
      outcome: { kind: 'step_ended', success: true, evidence: { summary: 'looked', files_changed: [] }, differing: new Map() },
    });
    expect(completionOf(play(says(stepped, '2', 'done'), deliver(), finish()))).toMatchObject({ writes_applied: false, done: { work: 'yes' } });
  });

  it('a provider that refuses is class provider, with the class of the request as code', () => {
    const refusedForGood = play(running(), request('1'), fail('1', { class: 'auth', code: 'invalid_api_key', message: 'bad key', retryable: false }));
    expect(completionOf(play(refusedForGood, finish({ kind: 'provider_failed' })))).toMatchObject({
      status: 'failed', exit_code: 1, terminal: { failed: { class: 'provider', code: 'auth', message: 'bad key' } },
    });
  });
});
