/** Real worker processes on one database: who takes what, and what is left when one dies. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { completion, completionChunks, hang, sse, type FakeAnswer } from '@/lib/testing/fake-openai-server';
import { killStarted, type Pilothouse } from './fixtures/pilothouse';
import { processesIn } from './fixtures/processes';
import { queueRuns } from './fixtures/queue-run';
import { openStage, type Scene, type Stage } from './fixtures/scene';
import { until } from './fixtures/until';

let stage: Stage;
let scene: Scene;
beforeEach(async () => {
  stage = await openStage({ PILOTHOUSE_LEASE_SECONDS: '3', PILOTHOUSE_CANCEL_GRACE_SECONDS: '1' });
  scene = await stage.scene();
});
afterEach(async () => {
  killStarted();
  await stage.close();
});
afterAll(killStarted);

async function startWorker(env: Readonly<Record<string, string>> = {}): Promise<Pilothouse> {
  const worker = scene.start(['worker'], env);
  await worker.seen(/takes runs/);
  return worker;
}

async function submit(task: string): Promise<string> {
  const [runId = ''] = await queueRuns(stage.databaseUrl, [{ task, workspace: scene.workspace }]);
  return runId;
}

const statusOf = async (runId: string): Promise<unknown> => (await stage.query('SELECT status FROM run WHERE id = $1', runId))[0]?.['status'];
const eventsOf = (runId: string) => stage.query('SELECT seq::int, type, payload FROM run_event WHERE run_id = $1 ORDER BY seq', runId);
const typesOf = async (runId: string): Promise<unknown[]> => (await eventsOf(runId)).map(({ type }) => type);
/** By the conversation, not by order: the requests of several workers come in any. */
const writesItsTask: FakeAnswer = ({ body }) => {
  const messages = body.messages ?? [];
  if (messages.at(-1)?.role === 'tool') return completion({ text: 'Done.' });
  const task = messages.find((message) => message.role === 'user')?.content ?? '';
  return completion({ calls: [{ name: 'run_command', arguments: { command: `echo "${task}" >> ledger.txt` } }] });
};

describe('workers', { timeout: 240_000 }, () => {
  test('two take twelve runs, none of them twice, and stop cleanly', async () => {
    scene.model.always(writesItsTask);
    const workspaces = await Promise.all(Array.from({ length: 12 }, () => stage.scene()));
    // A lease that a busy machine cannot lose: no run may be continued here.
    const [one, two] = await Promise.all([1, 2].map(() => startWorker({ PILOTHOUSE_LEASE_SECONDS: '30' })));
    await queueRuns(stage.databaseUrl, workspaces.map(({ workspace }, index) => ({ task: `task-${index}`, workspace })));
    await until('all succeeded', async () => (await stage.query("SELECT 1 FROM run WHERE status = 'succeeded'")).length === 12, 40);
    const ledgers = workspaces.map(({ workspace }) => readFileSync(path.join(workspace, 'ledger.txt'), 'utf8'));
    expect(ledgers).toEqual(workspaces.map((_, index) => `task-${index}\n`));
    expect(await stage.query("SELECT run_id FROM run_event WHERE type = 'run.started' GROUP BY run_id HAVING count(*) > 1")).toEqual([]);
    one?.kill('SIGTERM');
    two?.kill('SIGINT');
    expect((await Promise.all([one?.ended, two?.ended])).map((ended) => [ended?.code, ended?.stdout])).toEqual([[0, ''], [0, '']]);
  });

  test('kill -9 inside a command: interrupted within lease + 5 s, the call unknown, the effect at most once, no orphan', async () => {
    scene.model.push(completion({ calls: [{ name: 'run_command', arguments: { command: 'echo once >> ledger.txt; sleep 300' } }] }));
    const victim = await startWorker();
    const runId = await submit('x');
    await until('the command runs', () => existsSync(path.join(scene.workspace, 'ledger.txt')));
    const other = await startWorker();
    victim.kill('SIGKILL');
    const killed = performance.now();
    await until('runId is interrupted', async () => (await statusOf(runId)) === 'interrupted');
    expect(performance.now() - killed).toBeLessThan(8_000);
    const events = await eventsOf(runId);
    const [unknown] = events.filter(({ type }) => type === 'tool.unknown');
    const callId = (unknown?.['payload'] as { call_id: string }).call_id;
    expect(events.find(({ type }) => type === 'run.interrupted')?.['payload']).toEqual({ unknown_calls: [callId] });
    expect(events.at(-1)?.['type']).toBe('session.completed');
    await until('nothing of the command is left', () => processesIn(scene.workspace).length === 0, 8);
    expect(readFileSync(path.join(scene.workspace, 'ledger.txt'), 'utf8')).toBe('once\n');
    expect(await stage.query('SELECT 1 FROM run')).toHaveLength(1);
    other.kill('SIGTERM');
    expect((await other.ended).code).toBe(0);
  });

  test('kill -9 in a model request: generation 2 goes on by itself, the first request is unknown', async () => {
    scene.model.push(hang());
    scene.model.always(completion({ text: 'Done.', usage: { input: 50, output: 5 } }));
    const victim = await startWorker();
    const runId = await submit('x');
    await scene.model.received(1);
    const other = await startWorker();
    victim.kill('SIGKILL');
    await until('runId is interrupted', async () => (await statusOf(runId)) === 'interrupted');
    const [next] = await stage.query('SELECT id, generation FROM run WHERE id <> $1', runId);
    expect(next).toMatchObject({ generation: 2 });
    const second = String(next?.['id']);
    await until('second is succeeded', async () => (await statusOf(second)) === 'succeeded');
    expect((await eventsOf(runId)).find(({ type }) => type === 'run.interrupted')?.['payload']).toEqual({ unknown_calls: [], continues_as: second });
    expect(await typesOf(runId)).not.toContain('session.completed');
    const shown = JSON.parse((await scene.run(['show', second, '--json'])).stdout) as unknown;
    expect(shown).toMatchObject({ status: 'succeeded', generation: 2, usage: { total_tokens: 55, unknown_requests: 1 } });
    other.kill('SIGTERM');
    await other.ended;
  });

  test('SIGTERM in mid-stream: the run goes back to the queue, and another worker ends it', async () => {
    scene.model.push({ ...sse(completionChunks({ text: 'half' }).slice(0, 2)), then: 'hang' });
    scene.model.always(completion({ text: 'Done.' }));
    const first = await startWorker();
    const runId = await submit('x');
    await scene.model.received(1);
    first.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    expect(await statusOf(runId)).toBe('queued');
    const second = await startWorker();
    await until('runId is succeeded', async () => (await statusOf(runId)) === 'succeeded');
    const types = await typesOf(runId);
    expect(types.filter((type) => type === 'run.started')).toHaveLength(2);
    expect(types.filter((type) => type === 'session.completed')).toHaveLength(1);
    second.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  test('a run that waits is cancelled without a worker; one that is worked on, by its worker', async () => {
    const submitted = await scene.run(['submit', 'never begun']);
    expect([submitted.code, submitted.stderr]).toEqual([0, '']);
    const waiting = submitted.stdout.trim();
    expect(waiting).toMatch(/^run_\w+$/);
    const cancelled = await scene.run(['cancel', waiting]);
    expect([cancelled.code, cancelled.stderr.trim()]).toEqual([0, `${waiting} is cancelled`]);
    expect(scene.model.requests).toHaveLength(0);
    scene.model.push(hang());
    const worker = await startWorker();
    const working = await submit('begun');
    await scene.model.received(1);
    expect((await scene.run(['cancel', working])).stderr.trim()).toBe(`${working} is cancelling`);
    await until('working is cancelled', async () => (await statusOf(working)) === 'cancelled');
    worker.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
  });

  test('a worker leaves the run of a local exec alone', async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    scene.model.push(async () => {
      await held;
      return completion({ text: 'Mine.' });
    });
    const worker = await startWorker();
    const exec = scene.start(['exec', '--json', 'x']);
    await scene.model.received(1);
    worker.kill('SIGTERM');
    await worker.ended;
    goOn();
    expect((await exec.ended).code).toBe(0);
    const runs = await stage.query("SELECT payload->>'worker' AS worker FROM run_event WHERE type = 'run.started'");
    expect(runs).toHaveLength(1);
    expect(String(runs[0]?.['worker'])).toContain(`:${exec.pid}:`);
  });
});
