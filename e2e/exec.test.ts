/** `exec` from its beginning to each of its ends: real process, real database, real files. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion } from '@/lib/testing/fake-openai-server';
import { completionOf, durable, eventsOf, killStarted, ofType, typesOf } from './fixtures/pilothouse';
import { openStage, type Stage } from './fixtures/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  killStarted();
  await stage.close();
});

const read = (file: string, id?: string) => ({ name: 'read_file', arguments: { path: file }, ...(id === undefined ? {} : { id }) });
const write = (file: string, content: string) => ({ name: 'write_file', arguments: { path: file, content } });

describe('exec', { timeout: 240_000, concurrent: true }, () => {
  test('three requests and two calls: the file is changed, the usage is the sum, session.completed is last', async () => {
    const scene = await stage.scene({ 'greeting.txt': 'hello\n' });
    scene.model.push(
      completion({ text: 'I look.', calls: [read('greeting.txt')], usage: { input: 100, output: 10 } }),
      completion({ calls: [write('greeting.txt', 'good morning\n')], usage: { input: 150, output: 20, cached: 64 } }),
      completion({ text: 'The greeting is changed.', usage: { input: 200, output: 5, cached: 128, reasoning: 2 } }),
    );
    const ended = await scene.exec('change the greeting');
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(readFileSync(path.join(scene.workspace, 'greeting.txt'), 'utf8')).toBe('good morning\n');
    const last = completionOf(ended);
    expect(last).toMatchObject({
      status: 'succeeded',
      exit_code: 0,
      writes_applied: true,
      done: { work: 'yes', verified: 'not_configured', delivered: 'yes' },
      final_text: 'The greeting is changed.',
      usage: { input_tokens: 450, output_tokens: 35, cached_tokens: 192, reasoning_tokens: 2, total_tokens: 485, unknown_requests: 0 },
      tool_calls: { completed: 2, failed: 0 },
      terminal: { succeeded: {} },
    });
    expect(last).not.toHaveProperty('session_id');
    expect(scene.model.requests).toHaveLength(3);

    const events = durable(eventsOf(ended));
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(typesOf(events).filter((type) => type !== 'usage.recorded')).toEqual([
      'command.accepted', 'run.queued', 'message.appended', 'run.started',
      'model.requested', 'model.responded', 'tool.proposed', 'tool.decided', 'tool.started', 'tool.completed',
      'model.requested', 'model.responded', 'tool.proposed', 'tool.decided', 'tool.started', 'tool.completed',
      'model.requested', 'model.responded', 'delivery.recorded', 'run.succeeded', 'session.completed',
    ]);
    const streamed = ofType(eventsOf(ended), 'model.delta').map(({ payload }) => payload['text']).join('');
    expect(streamed).toBe('I look.The greeting is changed.');
    // What is stored is what was printed.
    const runId = events[0]?.run_id;
    const stored = await stage.query('SELECT seq::int, type, payload FROM run_event WHERE run_id = $1 ORDER BY seq', runId);
    expect(events.map(({ seq, type, payload }) => ({ seq, type, payload }))).toEqual(stored);
  });

  test('in plain mode stdout is the answer alone; progress and the summary are on stderr', async () => {
    const scene = await stage.scene();
    scene.model.push(
      completion({ text: 'First \u001B[2Jthe file.', calls: [write('a.txt', 'x\n')] }),
      completion({ text: 'All \u001B]0;owned\u0007done.\n' }),
    );
    const ended = await scene.run(['exec', 'write it']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe('All done.\n');
    expect(ended.stderr).not.toContain('\u001B');
    expect(ended.stderr).toMatch(/First the file\.\n✓ write_file a\.txt · done/);
    expect(ended.stderr).toMatch(/status +✓ succeeded \(exit 0\)/);
    expect(ended.stderr).toContain('cost unknown');
    const [, runId = ''] = /show (run_\w+)/.exec(ended.stderr) ?? [];
    const shown = await scene.run(['show', runId]);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toContain('All done.');
    const object = JSON.parse((await scene.run(['show', runId, '--json'])).stdout) as Record<string, unknown>;
    expect(object).toMatchObject({ id: runId, status: 'succeeded', task: 'write it', workspace: scene.workspace, exit_code: 0, writes_applied: true });
    const page = JSON.parse((await scene.run(['runs', '--json', '--status', 'succeeded', '--limit', '200'])).stdout) as { items: { id: string }[]; next_cursor: string | null };
    expect(page.items.map(({ id }) => id)).toContain(runId);
    expect((await scene.run(['runs'])).stdout).toContain(runId);
    const cancelled = await scene.run(['cancel', runId]);
    expect([cancelled.code, cancelled.stdout]).toEqual([1, '']);
    expect(cancelled.stderr).toContain('succeeded');
  });

  test('a verifier that fails is exit 2, whatever the agent says; one that passes is exit 0', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ text: 'Everything passes.' }), completion({ text: 'Everything passes.' }));
    const failed = await scene.exec('do it', '--unsandboxed', '--verifier', 'echo checked; exit 3');
    expect(failed.code).toBe(2);
    expect(completionOf(failed)).toMatchObject({
      status: 'verification_failed',
      verification: { state: 'failed', exit_code: 3 },
      done: { verified: 'failed', delivered: 'yes' },
      terminal: { verification_failed: { command: 'echo checked; exit 3', exit_code: 3 } },
    });
    expect(ofType(eventsOf(failed), 'verification.completed')[0]?.payload).toMatchObject({ success: false, stdout: 'checked\n' });
    const passed = await scene.exec('do it', '--unsandboxed', '--verifier', 'true');
    expect(passed.code).toBe(0);
    expect(completionOf(passed).verification).toMatchObject({ state: 'passed', command: 'true' });
  });

  test('a reported blocker is exit 5, and nothing upgrades it', async () => {
    const scene = await stage.scene();
    scene.model.push(
      completion({
        text: 'Which one?',
        calls: [{ name: 'report_blocker', arguments: { kind: 'user_decision', summary: 'Two licences fit.', question: 'Which licence?', choices: ['MIT', 'Apache-2.0'] } }],
      }),
    );
    const ended = await scene.exec('add a licence', '--verifier', 'true');
    expect(ended.code).toBe(5);
    expect(completionOf(ended)).toMatchObject({
      status: 'blocked',
      verification: { state: 'not_run' },
      done: { work: 'no', delivered: 'no' },
      terminal: { blocked: { blocker: { kind: 'user_decision', summary: 'Two licences fit.', question: 'Which licence?' } } },
    });
    expect(scene.model.requests).toHaveLength(1);
  });

  test.each([
    ['--max-turns', '1', 'limit', [completion({ calls: [read('a')] })]],
    ['--max-tool-calls', '1', 'limit', [completion({ calls: [read('a', 'call_1'), read('b', 'call_2')] })]],
    ['--max-tokens', '150', 'budget_exhausted', [completion({ calls: [read('a')], usage: { input: 140, output: 30 } })]],
  ])('%s %s pauses (exit 4)', async (option, value, reason, answers) => {
    const scene = await stage.scene({ a: 'a', b: 'b' });
    scene.model.push(...answers);
    scene.model.always(completion({ calls: [read('a')] }));
    const ended = await scene.exec('look on and on', option, value);
    expect(ended.code).toBe(4);
    expect(completionOf(ended).terminal).toMatchObject({ paused: { reason, resumable: false } });
  });

  test('a wall-time limit pauses (exit 4)', async () => {
    const scene = await stage.scene({ a: 'a' });
    scene.model.always(completion({ calls: [read('a')] }));
    const ended = await scene.exec('look on and on', '--max-wall-seconds', '0.5');
    expect(ended.code).toBe(4);
    expect(completionOf(ended).terminal).toMatchObject({ paused: { reason: 'limit' } });
  });

  test('--policy ask with nobody to ask: permission_denied, and exit 3 when that leaves the task unresolved', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ calls: [write('a.txt', 'x')] }));
    scene.model.always(completion({ text: 'I wrote it.' }));
    const ended = await scene.exec('write it', '--policy', 'ask');
    expect(ended.code).toBe(3);
    expect(ofType(eventsOf(ended), 'tool.failed')[0]?.payload).toMatchObject({ code: 'permission_denied', actor: 'system' });
    expect(completionOf(ended)).toMatchObject({ status: 'failed', final_text: 'I wrote it.', terminal: { failed: { class: 'approval' } } });
    expect(existsSync(path.join(scene.workspace, 'a.txt'))).toBe(false);
  });

  test('eight refused writes in a read-only workspace and a pleasant farewell: exit 1, and no file', async () => {
    const scene = await stage.scene({ 'keep.txt': 'kept\n' });
    for (let attempt = 0; attempt < 8; attempt += 1) scene.model.push(completion({ calls: [write('keep.txt', `try ${attempt}`)] }));
    scene.model.always(completion({ text: 'All done. Have a nice day!' }));
    const ended = await scene.exec('change it', '--read-only');
    expect(ended.code).toBe(1);
    expect(completionOf(ended)).toMatchObject({
      status: 'failed',
      writes_applied: false,
      done: { work: 'no', delivered: 'no' },
      objections: [{ severity: 'hard', code: 'no_edit_succeeded', attempted: 8 }, { severity: 'soft', code: 'last_effect_failed' }],
      tool_calls: { failed: 8 },
      terminal: { failed: { class: 'unresolved' } },
    });
    expect(readFileSync(path.join(scene.workspace, 'keep.txt'), 'utf8')).toBe('kept\n');
  });

  test('a question about a missing file, answered in plain text after a failed read, is exit 0', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ calls: [read('nowhere.txt')] }), completion({ text: 'There is no such file.' }));
    const ended = await scene.exec('what does nowhere.txt say?');
    expect(ended.code).toBe(0);
    expect(completionOf(ended)).toMatchObject({ status: 'succeeded', writes_applied: false, objections: [], tool_calls: { failed: 1 } });
  });

  test('a claimed change that is not there is refused', async () => {
    const scene = await stage.scene({ 'a.txt': 'as it was\n' });
    const claim = (files: string[]) => ({ name: 'complete_step', arguments: { success: true, evidence: { summary: 'done', files_changed: files } } });
    scene.model.push(completion({ calls: [claim(['a.txt'])] }), completion({ calls: [claim([])] }), completion({ text: 'Nothing had to be changed.' }));
    const ended = await scene.exec('change a.txt');
    expect(ended.code).toBe(0);
    const events = eventsOf(ended);
    expect(ofType(events, 'step.refused')).toHaveLength(1);
    expect(ofType(events, 'tool.failed')[0]?.payload).toMatchObject({ code: 'step_refused', message: expect.stringContaining('a.txt') as string });
    expect(completionOf(ended)).toMatchObject({ writes_applied: false });
  });

  test('a step reported as failed is exit 1', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ calls: [{ name: 'complete_step', arguments: { success: false, evidence: { summary: 'the API is gone' }, reason: 'the API is gone' } }] }));
    const ended = await scene.exec('do it');
    expect(ended.code).toBe(1);
    expect(completionOf(ended).terminal).toMatchObject({ failed: { class: 'reported', message: 'the API is gone' } });
  });

  test('--model scripted:FILE replays a script, without any endpoint', async () => {
    const scene = await stage.scene({
      'script.json': JSON.stringify([
        { tool_calls: [write('b.txt', 'b')], usage: { input_tokens: 7, output_tokens: 3 } },
        { text: 'Scripted.', usage: { input_tokens: 9, output_tokens: 1 } },
      ]),
    });
    const ended = await scene.exec('play', '--model', 'scripted:script.json');
    expect(ended.code).toBe(0);
    expect(completionOf(ended)).toMatchObject({ final_text: 'Scripted.', usage: { total_tokens: 20 } });
    expect(scene.model.requests).toHaveLength(0);
  });

  test('without --save-history no message is kept; the event log stays whole', async () => {
    const scene = await stage.scene();
    scene.model.always(completion({ text: 'Done.' }));
    const forgotten = await scene.exec('task one');
    const kept = await scene.exec('task two', '--save-history');
    const messages = async (ended: typeof kept) => {
      const runId = eventsOf(ended)[0]?.run_id;
      return stage.query('SELECT 1 FROM message m JOIN run r ON r.task_id = m.task_id WHERE r.id = $1', runId);
    };
    expect(await messages(forgotten)).toHaveLength(0);
    expect(await messages(kept)).toHaveLength(2);
    expect(completionOf(kept).session_id).toMatch(/^ses_/);
    expect(await stage.query('SELECT 1 FROM run_event WHERE run_id = $1', eventsOf(forgotten)[0]?.run_id)).not.toHaveLength(0);
  });
});
