/** The honest ending (domain.md §8): delivery, objections, the verifier, blockers, steps. */
import { describe, expect, test } from 'vitest';
import type { ToolOutcome } from '@/lib/agent/ports';
import { scriptedModel } from '@/lib/models/scripted';
import { parseScript } from '@/lib/models/script';
import { completeStep } from '@/lib/tools/complete-step';
import { reportBlocker } from '@/lib/tools/report-blocker';
import { updatePlan } from '@/lib/tools/update-plan';
import { callTo, calling, saying } from '@/lib/testing/fake-model';
import { completed, fakeTools, type FakeTool } from '@/lib/testing/fake-tools';
import { played, ROOT, sceneOf, type Scene, type SceneOptions } from '@/lib/testing/agent-scene';

const write: FakeTool = { effect: 'workspace', countsAsWrite: true, execute: () => completed('written', { changedPaths: ['src/a.ts'] }) };
const refused: FakeTool = { effect: 'workspace', countsAsWrite: true, refuses: { code: 'read_only', message: 'read-only' } };
const command = (outcome: ToolOutcome): FakeTool => ({ effect: 'external', execute: () => outcome });

const withControls = (tools: Readonly<Record<string, FakeTool>> = {}): Pick<SceneOptions, 'toolPort'> => ({
  toolPort: fakeTools(tools, { real: [completeStep, reportBlocker, updatePlan] }),
});

const reports = ({ recorder }: Scene): string[] =>
  recorder.payloads('message.appended').flatMap(({ origin, text }) => (origin === 'report' ? [text] : []));

describe('a plain-text answer', () => {
  test('is the delivery where the record has nothing against it', async () => {
    const scene = await played({ answers: [saying('There is no such file.')] });
    expect(scene.recorder.state).toMatchObject({ status: 'succeeded', delivery: { verdict: 'accepted', text: 'There is no such file.' } });
    expect(reports(scene)).toEqual([]);
  });

  test('after a failed read succeeds', async () => {
    const look: FakeTool = { execute: () => ({ kind: 'failed', code: 'not_found', message: 'no such file' }) };
    const scene = await played({ answers: [calling(callTo('look')), saying('It is not there.')], tools: { look } });
    expect(scene.recorder.state.status).toBe('succeeded');
    expect(reports(scene)).toEqual([]);
  });

  test('after eight refused writes gets one report, and then ends unresolved with its text kept', async () => {
    const scene = await played({
      answers: [calling(...Array.from({ length: 8 }, () => callTo('write'))), saying('All done!'), saying('All done, really.')],
      tools: { write: refused },
    });
    expect(reports(scene)).toHaveLength(1);
    expect(reports(scene)[0]).toContain('8 edits were attempted');
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
    expect(scene.recorder.payloads('session.completed')).toMatchObject([{ exit_code: 1, final_text: 'All done, really.', done: { delivered: 'no' } }]);
  });

  test('stands after all where a command changed the workspace', async () => {
    const scene = await played({ answers: [calling(callTo('write')), saying('Done.'), saying('Done.')], tools: { write: refused }, comparison: 'differs' });
    // The failed edit remains a soft objection: one report, then it stands.
    expect(scene.recorder.state.terminal).toEqual({ status: 'succeeded' });
    expect(scene.recorder.payloads('session.completed')[0]?.objections).toMatchObject([{ code: 'last_effect_failed' }]);
  });

  test('with only soft objections gets one report and then stands, objections on record', async () => {
    const scene = await played({
      answers: [calling(callTo('update_plan', { items: [{ text: 'paint', status: 'pending' }] })), saying('Done.'), saying('Done.')],
      ...withControls(),
    });
    expect(reports(scene)).toHaveLength(1);
    expect(reports(scene)[0]).toContain('paint');
    expect(scene.recorder.state.terminal).toEqual({ status: 'succeeded' });
    expect(scene.recorder.payloads('session.completed')[0]?.objections).toMatchObject([{ severity: 'soft', code: 'plan_open' }]);
  });

  test('is put a hard objection that is new after the report, once, and no soft one', async () => {
    const scene = await played({
      answers: [
        calling(callTo('run', {})),
        saying('Done.'), // soft: the command failed → report
        calling(callTo('write')),
        saying('Done.'), // hard and new: no edit succeeded → report
        saying('Done.'),
      ],
      tools: { run: command({ kind: 'failed', code: 'timeout', message: 'too long' }), write: refused },
    });
    expect(reports(scene)).toHaveLength(2);
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
  });

  test('with an effect whose outcome is unknown ends unresolved', async () => {
    const scene = await played({ answers: [calling(callTo('run')), saying('Done.'), saying('Done.')], tools: { run: command({ kind: 'unknown', reason: 'killed' }) } });
    expect(reports(scene)).toHaveLength(1);
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
  });
});

describe('the verifier', () => {
  const settings = { verifier: 'npm test' };
  const answers = [saying('Done.')];

  test('runs after the delivery, and passes', async () => {
    const { recorder, verified } = await played({ answers, settings, verification: { ran: true, exitCode: 0, stdout: 'ok', stderr: '' } });
    expect(verified).toEqual(['npm test']);
    expect(recorder.state.terminal).toEqual({ status: 'succeeded' });
    expect(recorder.payloads('session.completed')).toMatchObject([{ verification: { state: 'passed' } }]);
  });

  test('that fails makes the run verification_failed, whatever the text says', async () => {
    const { recorder } = await played({ answers, settings, verification: { ran: true, exitCode: 3, stdout: '', stderr: 'no' } });
    expect(recorder.state.terminal).toEqual({ status: 'verification_failed', command: 'npm test', exit_code: 3 });
  });

  test('that could not run has not run, and did not pass', async () => {
    const { recorder } = await played({ answers, settings, verification: { ran: false, reason: 'no sandbox' } });
    expect(recorder.payloads('session.completed')).toMatchObject([{ exit_code: 2, verification: { state: 'not_run', reason: 'no sandbox' } }]);
  });

  test('never upgrades an unresolved answer', async () => {
    const { recorder, verified } = await played({
      answers: [calling(callTo('write')), saying('Done.'), saying('Done.')],
      tools: { write: refused },
      settings,
      verification: { ran: true, exitCode: 0, stdout: '', stderr: '' },
    });
    expect(verified).toHaveLength(1);
    expect(recorder.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
  });

  test('that is stopped in the middle leaves no result, and runs again from the record', async () => {
    const scene = sceneOf({
      answers,
      settings,
      verification: async () => (scene.stop(), { ran: true, exitCode: 143, stdout: '', stderr: '' }),
    });
    await scene.drive();
    const { state, events, messages } = scene.recorder;
    expect(state.verification).toEqual({ status: 'running', command: 'npm test' });
    const next = await played({ from: { state, events, messages }, verification: { ran: true, exitCode: 0, stdout: '', stderr: '' } });
    expect(next.recorder.state.terminal).toEqual({ status: 'succeeded' });
  });
});

describe('report_blocker', () => {
  const blocker = callTo('report_blocker', { kind: 'user_decision', summary: 'Red or blue?', question: 'Which?' });

  test('ends the task at once: no verifier, no further request, later calls withdrawn', async () => {
    const scene = await played({
      answers: [calling(callTo('write'), blocker, callTo('write'))],
      ...withControls({ write }),
      settings: { verifier: 'npm test' },
    });
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'blocked', blocker: { kind: 'user_decision', question: 'Which?' } });
    expect(scene.recorder.state.tally).toMatchObject({ completed: 2, withdrawn: 1 });
    expect(scene.verified).toEqual([]);
    expect(scene.model.requests).toHaveLength(1);
  });

  test('with arguments that are not valid ends nothing', async () => {
    const scene = await played({ answers: [calling(callTo('report_blocker', { kind: 'tired' })), saying('Bye.')], ...withControls() });
    expect(scene.recorder.state.status).toBe('succeeded');
    expect(scene.recorder.payloads('tool.failed')).toMatchObject([{ code: 'invalid_arguments' }]);
  });
});

describe('complete_step', () => {
  const step = (files: readonly string[]): ReturnType<typeof calling> =>
    calling(callTo('complete_step', { success: true, evidence: { summary: 'mended', files_changed: files } }));

  test.each(['src/a.ts', './src/a.ts', `${ROOT}/src/a.ts`, 'src//./a.ts'])('accepts %s for a file that was written', async (file) => {
    const scene = await played({ answers: [calling(callTo('write')), step([file]), saying('Done.')], ...withControls({ write }) });
    expect(scene.recorder.payloads('step.refused')).toEqual([]);
    expect(scene.recorder.payloads('step.completed')).toMatchObject([{ evidence: { files_changed: ['src/a.ts'] } }]);
  });

  test.each(['src/b.ts', '/etc/hosts', '../src/a.ts', `${ROOT}-other/src/a.ts`])('refuses %s, which was not', async (file) => {
    const scene = await played({ answers: [calling(callTo('write')), step([file]), saying('Done.')], ...withControls({ write }) });
    expect(scene.recorder.payloads('step.refused')).toHaveLength(1);
    expect(scene.recorder.payloads('step.completed')).toEqual([]);
  });

  test('accepts a path that differs from the turn\'s start, and not one of which that is unknown', async () => {
    const differing = new Map<string, boolean | 'unknown'>([['made.txt', true], ['ignored.log', 'unknown']]);
    const accepted = await played({ answers: [step(['made.txt']), saying('Done.')], ...withControls(), differing });
    expect(accepted.recorder.payloads('step.completed')).toHaveLength(1);
    const refusal = await played({ answers: [step(['ignored.log']), saying('Done.')], ...withControls(), differing });
    expect(refusal.recorder.payloads('step.refused')).toHaveLength(1);
  });

  test('without success ends the run as reported, and later calls are withdrawn', async () => {
    const failure = callTo('complete_step', { success: false, reason: 'the roof is gone' });
    const scene = await played({ answers: [calling(failure, callTo('write'))], ...withControls({ write }) });
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'failed', class: 'reported', message: 'the roof is gone' });
    expect(scene.recorder.state.tally).toMatchObject({ withdrawn: 1 });
  });
});

describe('a script with entries that nobody asked for', () => {
  const scripted = (entries: unknown) => {
    const parsed = parseScript(JSON.stringify(entries));
    if (!parsed.ok) throw new Error(parsed.message);
    return scriptedModel(parsed.script);
  };

  test('fails loudly at the delivery', async () => {
    const scene = await played({ model: scripted([{ text: 'Done.' }, { text: 'never asked' }]) });
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'failed', class: 'runtime', code: 'script_unused_entries' });
  });

  test('does not fail at the first report, which asks for another answer', async () => {
    const scene = await played({
      model: scripted([{ tool_calls: [{ name: 'write' }] }, { text: 'Done.' }, { text: 'Done, really.' }]),
      tools: { write: refused },
    });
    expect(scene.recorder.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
  });

  test('counts what earlier generations were answered', async () => {
    const scene = await played({ model: scripted([{ text: 'first' }, { text: 'second' }]), carried: { settled_requests: 1 } });
    expect(scene.recorder.state).toMatchObject({ status: 'succeeded', delivery: { text: 'second' } });
  });
});
