/** Going on: a new turn, the next generation of an open one, the same command again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion } from '@/lib/testing/fake-openai-server';
import { completionOf, durable, eventsOf, killStarted, ofType } from './fixtures/pilothouse';
import { openStage, type Stage } from './fixtures/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  killStarted();
  await stage.close();
});

const write = (file: string, content: string, id = 'call_1') => ({ id, name: 'write_file', arguments: { path: file, content } });

describe('exec resume', { timeout: 240_000, concurrent: true }, () => {
  test('with text: a new turn in the same conversation, with a baseline of its own', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ calls: [write('a.txt', 'a')] }), completion({ text: 'a.txt is written.' }), completion({ text: 'It says a.' }));
    const first = completionOf(await scene.exec('write a.txt', '--save-history'));
    const session = first.session_id ?? '';
    const ended = await scene.run(['exec', 'resume', session, 'what does it say?', '--json']);
    expect(ended.code).toBe(0);
    const second = completionOf(ended);
    expect(second).toMatchObject({ session_id: session, generation: 1, writes_applied: false, final_text: 'It says a.', usage: { input_tokens: 100 } });
    expect(second.turn_id).not.toBe(first.turn_id);
    // The stable prefix: the second turn's request begins with everything that the first one's last sent.
    const [, before, after] = scene.model.requests.map(({ body }) => body.messages ?? []);
    expect(after?.slice(0, before?.length)).toEqual(before);
    expect(after?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
  });

  test('without text after a limit: the next generation of the same turn, and totals cover both once', async () => {
    const scene = await stage.scene();
    scene.model.push(
      completion({ calls: [write('a.txt', 'a')], usage: { input: 100, output: 10 } }),
      completion({ text: 'Done now.', usage: { input: 200, output: 20 } }),
    );
    const paused = await scene.exec('write a.txt', '--save-history', '--max-turns', '1');
    expect(paused.code).toBe(4);
    const first = completionOf(paused);
    expect(first.terminal).toMatchObject({ paused: { reason: 'limit', resumable: true } });
    expect(first.usage.total_tokens).toBe(110);
    const ended = await scene.run(['exec', '--json', 'resume', first.session_id ?? '']);
    expect(ended.code).toBe(0);
    expect(completionOf(ended)).toMatchObject({
      turn_id: first.turn_id,
      generation: 2,
      writes_applied: true,
      usage: { input_tokens: 300, output_tokens: 30, total_tokens: 330 },
      tool_calls: { completed: 1 },
    });
    const [sums] = await stage.query('SELECT count(*)::int AS entries, sum(input_tokens + output_tokens)::int AS tokens FROM usage_entry WHERE turn_id = $1', first.turn_id);
    expect(sums).toEqual({ entries: 2, tokens: 330 });
    // The turn is closed now.
    const again = await scene.run(['exec', 'resume', first.session_id ?? '', '--json']);
    expect([again.code, again.stdout]).toEqual([64, '']);
  });

  test('resume <run_id> goes on too, and a token limit may be raised', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ calls: [write('a.txt', 'a')], usage: { input: 100, output: 10 } }), completion({ text: 'Done.' }));
    const paused = await scene.exec('write', '--save-history', '--max-tokens', '105');
    expect(completionOf(paused).terminal).toMatchObject({ paused: { reason: 'budget_exhausted' } });
    const runId = eventsOf(paused)[0]?.run_id ?? '';
    const stuck = await scene.run(['resume', runId, '--json']);
    expect(completionOf(stuck).terminal).toMatchObject({ paused: { reason: 'budget_exhausted' } });
    const nextRun = eventsOf(stuck)[0]?.run_id ?? '';
    const ended = await scene.run(['resume', nextRun, '--json', '--max-tokens', '5000']);
    expect(ended.code).toBe(0);
    expect(completionOf(ended)).toMatchObject({ generation: 3, usage: { total_tokens: 220 } });
    const stale = await scene.run(['resume', runId]);
    expect([stale.code, stale.stdout]).toEqual([64, '']);
  });

  test('an answered blocker goes on as a new turn', async () => {
    const scene = await stage.scene();
    scene.model.push(
      completion({ calls: [{ name: 'report_blocker', arguments: { kind: 'user_decision', summary: 'Which?', question: 'a or b?' } }] }),
      completion({ calls: [write('b.txt', 'b', 'call_2')] }),
      completion({ text: 'b it is.' }),
    );
    const blocked = await scene.exec('choose', '--save-history');
    expect(blocked.code).toBe(5);
    const ended = await scene.run(['exec', 'resume', completionOf(blocked).session_id ?? '', 'take b', '--json']);
    expect(ended.code).toBe(0);
    expect(readFileSync(path.join(scene.workspace, 'b.txt'), 'utf8')).toBe('b');
  });

  test('of a session that was not kept is refused, and what is fixed for a session cannot be changed', async () => {
    const scene = await stage.scene();
    scene.model.always(completion({ text: 'Done.' }));
    const forgotten = await scene.exec('x');
    const [row] = await stage.query('SELECT session_id FROM run WHERE id = $1', eventsOf(forgotten)[0]?.run_id);
    const refused = await scene.run(['exec', 'resume', String(row?.['session_id']), 'more', '--json']);
    expect(refused.stderr).toMatch(/not kept|deleted/);
    expect([refused.code, refused.stdout]).toEqual([64, '']);
    expect(scene.model.requests).toHaveLength(1);
    const kept = completionOf(await scene.exec('x', '--save-history')).session_id ?? '';
    for (const option of [['--cwd', '.'], ['--policy', 'auto'], ['--unsandboxed'], ['--verifier', 'true'], ['--model', 'other']]) {
      const ended = await scene.run(['exec', ...option, 'resume', kept, 'more']);
      expect([ended.code, ended.stdout]).toEqual([64, '']);
      expect(ended.stderr).toContain(`${option[0]} is fixed`);
    }
  });
});

describe('--command-id', { timeout: 240_000, concurrent: true }, () => {
  test('the same again prints the stored events and exits with the same code; nothing runs twice', async () => {
    const scene = await stage.scene();
    scene.model.push(completion({ text: 'trying', calls: [{ name: 'run_command', arguments: { command: 'echo once >> ledger.txt' } }] }));
    scene.model.always(completion({ text: 'Done.' }));
    const args = ['--unsandboxed', '--command-id', 'job-1', '--verifier', 'false'];
    const first = await scene.exec('do it', ...args);
    const again = await scene.exec('do it', ...args);
    expect([first.code, again.code]).toEqual([2, 2]);
    expect(eventsOf(again)).toEqual(durable(eventsOf(first)));
    expect(readFileSync(path.join(scene.workspace, 'ledger.txt'), 'utf8')).toBe('once\n');
    const other = await scene.exec('do something else', ...args);
    expect([other.code, other.stdout]).toEqual([64, '']);
    const plain = await scene.run(['exec', ...args, 'do it']);
    expect([plain.code, plain.stdout]).toEqual([2, 'Done.\n']);
  });

  test('the same while the first is live follows it to its end', async () => {
    const scene = await stage.scene();
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    scene.model.push(async () => {
      await held;
      return completion({ text: 'At last.' });
    });
    const args = ['exec', '--json', '--command-id', 'job-live', 'wait'];
    const first = scene.start(args);
    await scene.model.received(1);
    const second = scene.start(args);
    await second.seen(/"type":"model\.requested"/);
    goOn();
    const [one, two] = await Promise.all([first.ended, second.ended]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(eventsOf(two)).toEqual(durable(eventsOf(one)));
    expect(scene.model.requests).toHaveLength(1);
  });

  test('two at once make one run', async () => {
    const scene = await stage.scene();
    scene.model.always(completion({ text: 'Done.' }));
    const both = await Promise.all([1, 2].map(() => scene.exec('race', '--command-id', 'job-race')));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(new Set(both.map((ended) => eventsOf(ended)[0]?.run_id)).size).toBe(1);
    expect(scene.model.requests).toHaveLength(1);
  });
});

describe('secrets', { timeout: 240_000 }, () => {
  test('a key that a model or a tool says is nowhere: not in stdout, not in stderr, not in any table', async () => {
    const key = stage.env['OPENAI_API_KEY'] ?? '';
    const scene = await stage.scene();
    writeFileSync(path.join(scene.workspace, 'leak.txt'), `the key is ${key}\n`);
    const answers = () => [
      completion({ text: `I use ${key} now.`, reasoning: `The key: ${key}`, calls: [{ name: 'read_file', arguments: { path: 'leak.txt' } }] }),
      completion({ calls: [{ name: 'run_command', arguments: { command: `cat leak.txt; echo ${key} >&2` } }] }),
      completion({ calls: [write('copy.txt', `key=${key}`, 'call_3')] }),
      completion({ text: `The key is ${key}.` }),
    ];
    scene.model.push(...answers(), ...answers());
    const json = await scene.exec(`use ${key}`, '--unsandboxed', '--save-history');
    const plain = await scene.run(['exec', '--unsandboxed', `use ${key}`]);
    expect([json.code, plain.code]).toEqual([0, 0]);
    // The executor has the original: what the agent meant to write is what was written.
    expect(existsSync(path.join(scene.workspace, 'copy.txt'))).toBe(true);
    expect(readFileSync(path.join(scene.workspace, 'copy.txt'), 'utf8')).toBe(`key=${key}`);
    for (const text of [json.stdout, json.stderr, plain.stdout, plain.stderr]) expect(text).not.toContain(key);
    expect(ofType(eventsOf(json), 'model.delta').map(({ payload }) => payload['text']).join('')).not.toContain(key);
    for (const request of scene.model.requests) expect(request.bodyText).not.toContain(key);
    expect(await columnsHolding(key)).toEqual([]);
    expect(await columnsHolding('The key is')).not.toEqual([]);
  });
});

async function columnsHolding(text: string): Promise<string[]> {
  const columns = await stage.query("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'");
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    // Bytes are looked at as text too: a sealed value that is not sealed would show.
    const rows = await stage.query(
      `SELECT 1 FROM "${String(table)}" WHERE position($1 IN coalesce("${String(column)}"::text, '')) > 0 OR position(encode($2, 'hex') IN coalesce("${String(column)}"::text, '')) > 0 LIMIT 1`,
      text,
      Buffer.from(text),
    );
    if (rows.length > 0) found.push(`${String(table)}.${String(column)}`);
  }
  return found;
}
