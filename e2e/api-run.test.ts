/** Runs over HTTP to their end, driven by a real worker process. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killStarted, startPilothouse, type Pilothouse } from './fixtures/pilothouse';
import { until } from './fixtures/until';
import { ADMIN_TOKEN, clientOf, openWebStage, type Answer, type Client, type WebStage } from './fixtures/web-stage';

let stage: WebStage;
let admin: Client;
let worker: Pilothouse;
beforeAll(async () => {
  stage = await openWebStage();
  admin = clientOf(() => stage.web().url, ADMIN_TOKEN);
  worker = startPilothouse(['worker'], { env: { ...stage.stage.env, PILOTHOUSE_WORKSPACE_ROOTS: stage.stage.home } });
  await worker.seen(/takes runs/);
}, 300_000);
afterAll(async () => {
  killStarted();
  await stage.close();
});

async function toItsEnd(body: Record<string, unknown>): Promise<Answer> {
  const submitted = await admin.post('/api/v1/runs', { unsandboxed: true, ...body });
  expect(submitted).toMatchObject({ status: 201, body: { status: 'queued' } });
  const id = String(submitted.body['id']);
  let run = submitted;
  await until('the run has ended', async () => {
    run = await admin.get(`/api/v1/runs/${id}`);
    return run.body['ended_at'] !== undefined;
  }, 60);
  return run;
}

function script(name: string, entries: readonly unknown[]): string {
  const file = path.join(stage.stage.home, `${name}.json`);
  writeFileSync(file, JSON.stringify(entries));
  return `scripted:${file}`;
}

describe('a run', { timeout: 120_000 }, () => {
  test('of the sample succeeds: signals, diff, tasks, usage, stream and export all say so', async () => {
    const { body: run } = await toItsEnd({ task: 'Fix the failing test', workspace: { sample: true }, model: 'scripted', verifier: 'node --test' });
    expect(run).toMatchObject({ status: 'succeeded', exit_code: 0, writes_applied: true, verification: { state: 'passed' }, terminal: { succeeded: {} } });
    const id = String(run['id']);

    await until('the diff is stored', async () => (await admin.get(`/api/v1/runs/${id}/diff`)).body['state'] !== 'none');
    expect((await admin.get(`/api/v1/runs/${id}/diff`)).body).toMatchObject({ state: 'stored', truncated: false, diff: expect.stringContaining('duration.mjs') as string });
    expect((await admin.get(`/api/v1/runs/${id}/tasks`)).body.items).toMatchObject([{ status: 'succeeded' }]);
    const usage = await admin.get('/api/v1/usage?group_by=run');
    expect(usage.body.items.find(({ key }) => key === id)).toMatchObject({ unknown_requests: 0, total_tokens: (run['usage'] as { total_tokens: number }).total_tokens });

    const paged: unknown[] = [];
    for (let after = '0'; ; ) {
      const page = await admin.get(`/api/v1/runs/${id}/events?after=${after}&limit=4`);
      paged.push(...page.body.items);
      const { next_cursor: next } = page.body;
      if (typeof next !== 'string') break;
      after = next;
    }
    const streamed = (await admin.get(`/api/v1/runs/${id}/events`, { accept: 'text/event-stream' })).text;
    const events = streamed.split('\n').filter((line) => line.startsWith('data: ')).map((line): unknown => JSON.parse(line.slice(6)));
    expect(events).toEqual(paged);
    expect(events.at(-1)).toMatchObject({ type: 'session.completed' });
    const rest = (await admin.get(`/api/v1/runs/${id}/events`, { accept: 'text/event-stream', 'last-event-id': '3' })).text;
    expect(rest.split('\n').filter((line) => line.startsWith('id: '))[0]).toBe('id: 4');

    const exported = (await admin.get(`/api/v1/sessions/${String(run['session_id'])}/export`)).text.trim().split('\n').map((line): unknown => JSON.parse(line));
    expect(exported[0]).toMatchObject({ type: 'session', payload: { id: run['session_id'] } });
    expect(exported.slice(1)).toEqual(paged);
  });

  test('goes on with a next message, and its session tells both turns', async () => {
    const model = script('two-turns', [{ text: 'First.' }, { text: 'Second.' }]);
    const { workspace } = await stage.stage.scene();
    const { body: first } = await toItsEnd({ task: 'begin', workspace, model });
    const session = String(first['session_id']);
    const turn = await admin.post(`/api/v1/sessions/${session}/turns`, { text: 'go on' }, { 'idempotency-key': 'turn-2' });
    expect(turn).toMatchObject({ status: 201, body: { session_id: session, generation: 1 } });
    await until('the turn has ended', async () => (await admin.get(`/api/v1/runs/${String(turn.body['id'])}`)).body['final_text'] === 'Second.', 30);
    expect(await admin.post(`/api/v1/sessions/${session}/turns`, { text: 'go on' }, { 'idempotency-key': 'turn-2' })).toMatchObject({ status: 200, body: { id: turn.body['id'] } });
    const shown = await admin.get(`/api/v1/sessions/${session}?limit=2`);
    expect(shown.body).toMatchObject({ turns: [{ number: 1, text: 'begin' }, { number: 2, text: 'go on' }], messages: { items: [{}, {}] } });
    const rest = await admin.get(`/api/v1/sessions/${session}?cursor=${(shown.body['messages'] as { next_cursor: string }).next_cursor}`);
    expect((rest.body['messages'] as { items: unknown[] }).items.length).toBeGreaterThan(1);
    expect((await admin.get(`/api/v1/sessions/${session}?cursor=nonsense`)).status).toBe(400);
  });

  test('that stops at a limit is resumed with a higher one', async () => {
    const model = script('limited', [{ tool_calls: [{ name: 'list_files', arguments: { path: '.' } }] }, { text: 'Done.' }]);
    const { workspace } = await stage.stage.scene();
    const { body: run } = await toItsEnd({ task: 'look', workspace, model, limits: { rounds: 1 } });
    expect(run).toMatchObject({ status: 'paused', exit_code: 4, terminal: { paused: { reason: 'limit' } } });
    const resumed = await admin.post(`/api/v1/runs/${String(run['id'])}/resume`, { limits: { rounds: 5 } });
    expect(resumed).toMatchObject({ status: 201, body: { generation: 2, turn_id: run['turn_id'] } });
    await until('it has ended', async () => (await admin.get(`/api/v1/runs/${String(resumed.body['id'])}`)).body['status'] === 'succeeded', 30);
    expect(await admin.post(`/api/v1/runs/${String(run['id'])}/resume`)).toMatchObject({ status: 409 });
  });

  test('works in a clone of its own, and says when there is none to be had', async () => {
    const repository = path.join(stage.stage.home, 'repository');
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main', ...args], { cwd: stage.stage.home });
    git('init', '-q', repository);
    writeFileSync(path.join(repository, 'file.txt'), 'original\n');
    git('-C', repository, 'add', '.');
    git('-C', repository, 'commit', '-q', '-m', 'first');
    const model = script('edits', [{ tool_calls: [{ name: 'edit', arguments: { path: 'file.txt', old_text: 'original', new_text: 'changed' } }] }, { text: 'Changed.' }]);
    const { body: run } = await toItsEnd({ task: 'change it', workspace: { git: repository, ref: 'main' }, model });
    expect(run).toMatchObject({ status: 'succeeded', writes_applied: true });
    expect(execFileSync('cat', [path.join(repository, 'file.txt')]).toString()).toBe('original\n');
    await until('the diff is stored', async () => (await admin.get(`/api/v1/runs/${String(run['id'])}/diff`)).body['state'] === 'stored');
    expect((await admin.get(`/api/v1/runs/${String(run['id'])}/diff`)).body['diff']).toContain('+changed');
    expect((await admin.get(`/api/v1/sessions/${String(run['session_id'])}`)).body).toMatchObject({ repository: { location: repository, ref: 'main' } });

    const { body: failed } = await toItsEnd({ task: 'x', workspace: { git: repository, ref: 'no-such-branch' }, model });
    expect(failed).toMatchObject({ status: 'failed', exit_code: 1, terminal: { failed: { class: 'runtime', code: 'workspace_unavailable', message: expect.stringContaining('no-such-branch') as string } } });
  });
});
