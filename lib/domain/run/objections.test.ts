import { describe, expect, it } from 'vitest';
import { CLAIM, call, command, done, outcome, play, refused, request, respond, round, running, says, start, write, type Played } from '@/lib/testing/play-run';
import { isHard } from '../delivery';
import type { PlanItem } from '../step';
import { NO_OTHERS } from './complete';
import type { CallOutcome, InputOf } from './input';
import { objectionsTo } from './objections';
import { exitCodeOf } from './terminal';

type Workspace = Parameters<typeof objectionsTo>[1];
const codes = ({ state }: Played, workspace: Workspace = 'equal'): string[] =>
  objectionsTo(state, workspace).map((objection) => `${objection.severity} ${objection.code}`);

const eachRound = (from: Played, ids: readonly string[], one: (played: Played, id: string) => Played): Played => ids.reduce(one, from);
const refusedWrite = (from: Played, id: string): Played => play(round(from, id, write(id)), refused(id));
const wrote = (from: Played, id: string): Played => play(round(from, id, write(id)), start(id), done(id, { changedPaths: [`${id}.ts`] }));
const lost = (from: Played, id: string): Played => play(round(from, id, command(id)), start(id), outcome(id, { kind: 'unknown', reason: 'killed' }));
const plan = (from: Played, id: string, items: readonly PlanItem[]): Played =>
  play(round(from, id, call(id, { name: 'update_plan' })), start(id), outcome(id, { kind: 'plan_updated', items }));

type StepEnded = Extract<CallOutcome, { kind: 'step_ended' }>;
const step = (from: Played, id: string, of: Partial<StepEnded> = {}): Played =>
  play(
    round(from, id, call(id, { name: 'complete_step' })),
    start(id),
    outcome(id, { kind: 'step_ended', success: true, evidence: { summary: 'done', files_changed: [] }, differing: new Map(), ...of }),
  );

describe('the record has nothing against an answer', () => {
  it('when nothing was attempted', () => {
    expect(codes(running())).toEqual([]);
  });

  it('when only a read failed', () => {
    expect(codes(play(round(running(), 'r', call('r')), start('r'), outcome('r', { kind: 'failed', code: 'not_found', message: 'no such file' })))).toEqual([]);
  });

  it('when an edit failed first and another one succeeded after it', () => {
    expect(codes(wrote(refusedWrite(running(), 'a'), 'b'))).toEqual([]);
  });

  it('when a command ran and exited with another code than 0: it is completed', () => {
    expect(codes(play(round(running(), 'c', command('c')), start('c'), done('c', { exitCode: 1 })))).toEqual([]);
  });

  it('when a call without effect is unknown', () => {
    const reading = play(round(running(), 'r', call('r')), start('r'), outcome('r', { kind: 'unknown', reason: 'lost' }));
    expect(codes(reading)).toEqual([]);
  });
});

describe('no edit succeeded', () => {
  const tried = refusedWrite(running(), 'a');

  it('is a hard objection while the workspace equals its beginning, or cannot be compared', () => {
    expect(codes(tried, 'equal')).toContain('hard no_edit_succeeded');
    expect(codes(tried, 'unknown')).toContain('hard no_edit_succeeded');
    expect(codes(tried, 'differs')).not.toContain('hard no_edit_succeeded');
  });

  it('counts edits that policy denied, and those of earlier generations of the turn', () => {
    const denied = round(running(), 'a', write('a', { decision: { verdict: 'deny', rule: 'policy_read_only' } }));
    expect(codes(denied)).toEqual(['hard no_edit_succeeded', 'soft last_effect_failed']);
    expect(codes(running({}, { edits: { attempted: 2, succeeded: 0, unknown: 0 } }))).toEqual(['hard no_edit_succeeded']);
    expect(codes(running({}, { edits: { attempted: 2, succeeded: 1, unknown: 0 } }))).toEqual([]);
  });

  it('does not count an edit that was withdrawn before it began', () => {
    const withdrawn = play(round(running(), 'a', write('a')), { type: 'end', reason: { kind: 'paused', reason: 'limit', message: '' }, others: NO_OTHERS });
    expect(withdrawn.state.tally.withdrawn).toBe(1);
    expect(codes(withdrawn)).toEqual([]);
  });
});

describe('an effect in doubt', () => {
  it('is a hard objection that names the calls', () => {
    const objections = objectionsTo(lost(lost(running(), 'a'), 'b').state, 'differs');
    expect(objections).toEqual([{ severity: 'hard', code: 'effect_unknown', call_ids: ['call_a', 'call_b'] }]);
  });

  it('stays one when another worker goes on', () => {
    const released = play(round(running(), 'a', command('a')), start('a'), { type: 'release', reason: 'worker_stopping' }, { ...CLAIM, leaseEpoch: 2 });
    expect(codes(released)).toEqual(['hard effect_unknown']);
  });
});

describe('soft objections', () => {
  it('name the open items of the plan', () => {
    const planned = plan(running(), 'p', [
      { text: 'one', status: 'completed' },
      { text: 'two', status: 'in_progress' },
      { text: 'three', status: 'pending' },
      { text: 'four', status: 'dropped' },
    ]);
    expect(objectionsTo(planned.state, 'equal')).toEqual([{ severity: 'soft', code: 'plan_open', items: ['two', 'three'] }]);
    expect(codes(plan(planned, 'q', [{ text: 'two', status: 'completed' }]))).toEqual([]);
  });

  it.each(['failed', 'denied'] as const)('name the last call with an effect when it was %s', (how) => {
    const last =
      how === 'denied'
        ? round(running(), 'c', command('c', { decision: { verdict: 'deny', rule: 'policy_read_only' } }))
        : play(round(running(), 'c', command('c')), refused('c', 'no_sandbox'));
    expect(objectionsTo(last.state, 'equal')).toEqual([
      { severity: 'soft', code: 'last_effect_failed', call_id: 'call_c', name: 'run_command', outcome: how },
    ]);
    // A read after it changes nothing of it; a success does.
    expect(codes(play(round(last, 'r', call('r')), start('r'), done('r')))).toEqual(['soft last_effect_failed']);
    expect(codes(play(round(last, 'd', command('d')), start('d'), done('d')))).toEqual([]);
  });
});

describe('accepted evidence', () => {
  const doubted = lost(refusedWrite(running(), 'a'), 'b');

  it('fells the hard objections that the record showed, and no soft one', () => {
    expect(codes(doubted)).toEqual(['hard no_edit_succeeded', 'hard effect_unknown']);
    const planned = plan(refusedWrite(doubted, 'c'), 'p', [{ text: 'one', status: 'pending' }]);
    expect(codes(step(planned, 's'))).toEqual(['soft plan_open', 'soft last_effect_failed']);
  });

  it('fells nothing that came after it', () => {
    const accepted = step(doubted, 's');
    expect(codes(accepted)).toEqual([]);
    expect(objectionsTo(lost(accepted, 'd').state, 'differs')).toEqual([{ severity: 'hard', code: 'effect_unknown', call_ids: ['call_d'] }]);
    expect(codes(refusedWrite(accepted, 'e'))).toEqual(['hard no_edit_succeeded', 'soft last_effect_failed']);
  });

  it('that was refused fells nothing', () => {
    const claimed = step(doubted, 's', { evidence: { summary: 'done', files_changed: ['x.ts'] } });
    expect(claimed.state.step.status).toBe('open');
    expect(codes(claimed)).toEqual(['hard no_edit_succeeded', 'hard effect_unknown']);
  });
});

describe('the evidence of the implicit step', () => {
  const refusal = (played: Played): string | undefined =>
    played.events.flatMap((event) => (event.type === 'step.refused' ? [event.payload.reason] : [])).at(-1);
  const files = (...files_changed: string[]): StepEnded['evidence'] => ({ summary: 'done', files_changed });

  it.each<[string, StepEnded['evidence'], RegExp]>([
    ['no summary', { files_changed: [] }, /summary/],
    ['a blank summary', { summary: ' \n', files_changed: [] }, /summary/],
    ['a summary that is no text', { summary: 5, files_changed: [] }, /summary/],
    ['no list of files', { summary: 'done' }, /files_changed/],
    ['a list that is none', { summary: 'done', files_changed: 'a.ts' }, /files_changed/],
    ['something that is no path', { summary: 'done', files_changed: [5] }, /files_changed/],
    ['a path without a recorded write', files('b.ts'), /b\.ts/],
    ['the absolute path of the same name', files('/a.ts'), /\/a\.ts/],
  ])('is refused with the reason: %s', (_what, evidence, reason) => {
    const claimed = step(wrote(running(), 'a'), 's', { evidence });
    expect(refusal(claimed)).toMatch(reason);
    expect(claimed.state.step.status).toBe('open');
    expect(claimed.state.tally).toMatchObject({ completed: 1, failed: 1 });
  });

  it.each([files('a.ts'), files('./a.ts'), files()])('is accepted: %j', (evidence) => {
    const claimed = step(wrote(running(), 'a'), 's', { evidence });
    expect(refusal(claimed)).toBeUndefined();
    expect(claimed.state.step.status).toBe('completed');
  });

  it('may name what differs from the beginning of the turn without a recorded write, and nothing that cannot be told', () => {
    const claim = (differs: boolean | 'unknown'): Played => step(running(), 's', { evidence: files('b.ts'), differing: new Map([['b.ts', differs]]) });
    expect(claim(true).state.step.status).toBe('completed');
    expect(refusal(claim(false))).toMatch(/b\.ts/);
    expect(refusal(claim('unknown'))).toMatch(/b\.ts/);
  });

  it('knows the writes of earlier generations of the turn', () => {
    expect(step(running({}, { changed_paths: ['b.ts'] }), 's', { evidence: files('b.ts') }).state.step.status).toBe('completed');
  });

  it('is not asked for a step that failed, whose reason is the agent’s', () => {
    expect(step(running(), 's', { success: false, evidence: {}, reason: 'no network' }).state.step).toEqual({ status: 'failed', reason: 'no network' });
    expect(step(running(), 's', { success: false, evidence: { summary: 'it broke' }, reason: ' ' }).state.step).toEqual({ status: 'failed', reason: 'it broke' });
    expect(step(running(), 's', { success: false, evidence: {} }).state.step).toEqual({ status: 'failed', reason: 'no reason was given' });
  });
});

describe('eight refused writes and a pleasant farewell', () => {
  const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const farewell = (from: Played): Played => {
    const first = says(from, 'bye', 'All done, have a nice day!');
    const objections = objectionsTo(first.state, 'equal');
    expect(objections.some(isHard)).toBe(true);
    const second = says(play(first, { type: 'append_message', origin: 'report', text: 'the record shows', objections }), 'bye2', 'Truly, all done!');
    const verdict: InputOf<'record_delivery'> = { type: 'record_delivery', verdict: 'unresolved', objections: objectionsTo(second.state, 'equal') };
    return play(second, verdict, { type: 'end', reason: { kind: 'finished' }, others: NO_OTHERS });
  };
  const exitOf = ({ state }: Played): number | null => (state.terminal === null ? null : exitCodeOf(state.terminal));

  it('end unresolved with exit 1, the text kept', () => {
    const ended = farewell(eachRound(running({ access: 'read_only' }), ids, refusedWrite));
    expect(ended.state.tally.failed).toBe(8);
    expect(ended.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
    expect(exitOf(ended)).toBe(1);
    expect(ended.state.delivery?.text).toBe('Truly, all done!');
  });

  it('end unresolved with exit 1 when policy denied them', () => {
    const denied = { decision: { verdict: 'deny', rule: 'policy_read_only' } } as const;
    const ended = farewell(eachRound(running({ policy: 'read-only' }), ids, (from, id) => round(from, id, write(id, denied))));
    expect(ended.state.tally.denied).toBe(8);
    expect(exitOf(ended)).toBe(1);
  });

  it('end with exit 3 when nobody was there to approve', () => {
    const ask = { decision: { verdict: 'ask', rule: 'policy_ask' } } as const;
    const ended = farewell(eachRound(running({ policy: 'ask' }), ids, (from, id) => round(from, id, write(id, ask))));
    expect(ended.state.terminal).toMatchObject({ status: 'failed', class: 'approval' });
    expect(exitOf(ended)).toBe(3);
  });

  it('end with exit 1 when a tool itself met a permission error: nobody was asked', () => {
    const eacces = (from: Played, id: string): Played => play(round(from, id, write(id)), start(id), refused(id, 'permission_denied'));
    expect(exitOf(farewell(eachRound(running(), ids, eacces)))).toBe(1);
  });

  it('are not upgraded by a verifier that passes', () => {
    const answered = says(eachRound(running({ verifier: 'true' }), ids, refusedWrite), 'bye', 'done');
    const objections = objectionsTo(answered.state, 'equal');
    const ended = play(
      answered,
      { type: 'record_delivery', verdict: 'unresolved', objections },
      { type: 'start_verification', command: 'true' },
      { type: 'complete_verification', result: { command: 'true', success: true, exit_code: 0, stdout: '', stderr: '' } },
      { type: 'end', reason: { kind: 'finished' }, others: NO_OTHERS },
    );
    expect(exitOf(ended)).toBe(1);
    const completion = ended.events.at(-1);
    expect(completion?.type === 'session.completed' && completion.payload).toMatchObject({
      verification: { state: 'passed', command: 'true' },
      done: { work: 'no', verified: 'passed', delivered: 'no' },
      final_text: 'done',
    });
  });
});

describe('a question about a missing file, answered in plain text after a failed read', () => {
  it('succeeds with exit 0', () => {
    const read = play(running(), request('1'), respond('1', { calls: [call('r')] }), start('r'), outcome('r', { kind: 'failed', code: 'not_found', message: 'no' }));
    const answered = says(read, '2', 'There is no such file.');
    expect(codes(answered)).toEqual([]);
    const ended = play(answered, { type: 'record_delivery', verdict: 'accepted', objections: [] }, { type: 'end', reason: { kind: 'finished' }, others: NO_OTHERS });
    expect(ended.state.terminal).toEqual({ status: 'succeeded' });
  });
});
