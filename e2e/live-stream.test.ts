/** Streams over HTTP, from the built server: resumed exactly, closed at its end, shut to those who may not look. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { readEvents } from '@/lib/store/read-events';
import { completionChunks } from '@/lib/testing/fake-openai-server';
import { modelResponded, newId, requestModel, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { openSse, type SseClient } from '@/lib/testing/sse-client';
import { openWebStage, type Client, type WebStage } from './fixtures/web-stage';

let stage: WebStage;
let viewer: Client;
beforeAll(async () => {
  stage = await openWebStage();
  viewer = await stage.client('viewer');
}, 300_000);
afterAll(() => stage.close());

async function open(path: string, headers: Record<string, string> = {}, client: Client = viewer): Promise<SseClient> {
  const sse = await openSse(`${stage.web().url}/api/v1${path}`, { authorization: `Bearer ${client.token}`, ...headers });
  onTestFinished(() => sse.leave());
  return sse;
}

async function holder(): Promise<TestHolder> {
  await submitTestRun(stage.store, { projectId: stage.projectId });
  return TestHolder.claim(stage.store);
}
async function round(one: TestHolder): Promise<void> {
  const requestId = newId('req');
  await one.apply(requestModel(requestId));
  await one.apply(modelResponded(requestId, 'a round'));
}
const end = (one: TestHolder) =>
  one.apply({ type: 'end', reason: { kind: 'harness_failed', class: 'runtime', code: 'x', message: 'y' }, others: NO_OTHERS });
const stored = async (one: TestHolder): Promise<number[]> =>
  (await readEvents(stage.store, { ...one.run, after: 0, limit: 1_000 })).map(({ seq }) => seq);
const seqs = ({ messages }: SseClient): number[] => messages.flatMap(({ data }) => (typeof data['seq'] === 'number' ? [data['seq']] : []));

describe('the stream of a run', () => {
  test('goes on as the log grows, with seq as id, and ends after session.completed', async () => {
    const one = await holder();
    const sse = await open(`/runs/${one.run.runId}/events`);
    expect(Object.fromEntries(sse.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    for (let rounds = 0; rounds < 5; rounds += 1) await round(one);
    await end(one);
    await sse.ended;
    expect(seqs(sse)).toEqual(await stored(one));
    expect(sse.messages.map(({ id }) => id)).toEqual(seqs(sse).map(String));
    expect(sse.messages.every(({ event, data }) => event === undefined && data['version'] === '1' && data['run_id'] === one.run.runId)).toBe(true);
    expect(sse.messages.at(-1)?.data['type']).toBe('session.completed');
  });

  test('left at any event, and come back to by Last-Event-ID twice in a row, gives exactly the rest', async () => {
    const one = await holder();
    for (let rounds = 0; rounds < 6; rounds += 1) await round(one);
    const writing = (async () => {
      for (let rounds = 0; rounds < 12; rounds += 1) await round(one);
      await end(one);
    })();
    const first = await open(`/runs/${one.run.runId}/events`);
    await expect.poll(() => first.messages.length).toBeGreaterThan(4);
    first.leave();
    await first.ended;
    const seen = seqs(first);
    const second = await open(`/runs/${one.run.runId}/events`, { 'last-event-id': String(seen.at(-1)) });
    await expect.poll(() => second.messages.length).toBeGreaterThan(2);
    second.leave();
    await second.ended;
    seen.push(...seqs(second));
    const third = await open(`/runs/${one.run.runId}/events?after=0`, { 'last-event-id': String(seen.at(-1)) });
    await Promise.all([writing, third.ended]);
    expect([...seen, ...seqs(third)]).toEqual(await stored(one));

    const all = await stored(one);
    for (const after of all) {
      const rest = await open(`/runs/${one.run.runId}/events?after=${after}`);
      await rest.ended;
      expect(seqs(rest)).toEqual(all.filter((seq) => seq > after));
    }
  }, 60_000);

  test('with tree=true resumes by a cursor of each run', async () => {
    const one = await holder();
    await round(one);
    const first = await open(`/runs/${one.run.runId}/events?tree=true`);
    await expect.poll(() => seqs(first)).toEqual(await stored(one));
    first.leave();
    expect(first.messages.at(-1)?.id).toBe(`${one.run.runId}:${one.state.seq}`);
    const before = one.state.seq;
    await end(one);
    const second = await open(`/runs/${one.run.runId}/events?tree=true`, { 'last-event-id': `${one.run.runId}:${before}` });
    await second.ended;
    expect(seqs(second)).toEqual((await stored(one)).filter((seq) => seq > before));
  });

  test('shows what a run says while it says it, though another process drives it', async () => {
    const STORY = 'Once upon a time there was a roof. '.repeat(20);
    const scene = await stage.stage.scene();
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    const [head, said, more, ...rest] = completionChunks({ text: STORY }).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    scene.model.push({
      headers: { 'content-type': 'text/event-stream' },
      body: [head ?? '', said ?? '', { until: pause }, more ?? '', { delayMs: 400 }, ...rest, 'data: [DONE]\n\n'],
    });
    const exec = scene.start(['exec', '--json', 'Tell a story.']);
    const [, runId] = await exec.seen(/"run_id":"(run_\w+)"/);
    const sse = await open(`/runs/${runId}/events`);
    const pieces = () => sse.messages.filter(({ data }) => data['type'] === 'model.delta');
    await expect.poll(() => sse.messages.map(({ data }) => data['type'])).toContain('model.requested');
    // What was said before we came is gone; what is said now is for us, and comes before the response does.
    goOn();
    await expect.poll(() => pieces().length).toBeGreaterThan(0);
    expect(sse.messages.map(({ data }) => data['type'])).not.toContain('model.responded');
    await sse.ended;
    for (const { data } of pieces()) {
      const { offset, text } = data['payload'] as { offset: number; text: string };
      expect(STORY.slice(offset, offset + text.length)).toBe(text);
    }
    const types = sse.messages.map(({ data }) => data['type']);
    expect(types.lastIndexOf('model.delta')).toBeLessThan(types.indexOf('model.responded'));
    await exec.ended;
    expect(sse.messages.at(-1)?.data['type']).toBe('session.completed');
    expect(pieces().every(({ id, data }) => id === undefined && !('seq' in data))).toBe(true);
  }, 60_000);

  test('of another project, or of none, is 404; without a token 401; with a cursor that is none 400', async () => {
    const one = await holder();
    const stranger = await stage.client('admin', await stage.newProject());
    expect((await open(`/runs/${one.run.runId}/events`, {}, stranger)).status).toBe(404);
    expect((await open(`/runs/${newId('run')}/events`)).status).toBe(404);
    expect((await openSse(`${stage.web().url}/api/v1/runs/${one.run.runId}/events`)).status).toBe(401);
    expect((await open(`/runs/${one.run.runId}/events`, { 'last-event-id': '1 OR 1' })).status).toBe(400);
  });

  test('closes when the token is revoked', async () => {
    const one = await holder();
    const passing = await stage.client('viewer');
    const sse = await open(`/runs/${one.run.runId}/events`, {}, passing);
    await expect.poll(() => sse.messages.length).toBeGreaterThan(0);
    await stage.stage.query('DELETE FROM api_token WHERE user_id = $1', passing.userId);
    await sse.ended;
    expect(sse.messages.at(-1)?.event).toBe('stream.revoked');
  }, 30_000);
});

describe('the stream of a browser', () => {
  test('carries several runs from their cursors, and the list', async () => {
    const [one, two] = [await holder(), await holder()];
    const sse = await open(`/stream?runs=${one.run.runId}:2,${two.run.runId}:0&project=1`);
    await expect.poll(() => sse.messages.map(({ event }) => event)).toContain('runs.stale');
    await round(one);
    await end(two);
    const of = (run: TestHolder) => sse.messages.filter(({ data }) => data['run_id'] === run.run.runId && 'type' in data).map(({ data }) => data['seq']);
    await expect.poll(() => sse.messages.map(({ event }) => event)).toContain('run.ended');
    await expect.poll(() => of(one)).toEqual((await stored(one)).filter((seq) => seq > 2));
    expect(of(two)).toEqual(await stored(two));
    await expect
      .poll(() => sse.messages.filter(({ event }) => event === 'runs.changed').flatMap(({ data }) => data['runs'] as { id: string; status: string }[]))
      .toContainEqual(expect.objectContaining({ id: two.run.runId, status: 'failed' }));
  });

  test('says to a probe whether it would be given', async () => {
    expect((await viewer.get('/api/v1/stream')).status).toBe(204);
    expect((await fetch(`${stage.web().url}/api/v1/stream`)).status).toBe(401);
    expect((await viewer.get('/api/v1/stream?runs=nonsense')).status).toBe(400);
  });
});

describe('a web server', () => {
  test('with 20 open streams holds one LISTEN connection, ends at once when told to, and its readers come back', async () => {
    const one = await holder();
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(`/runs/${one.run.runId}/events`)));
    await expect.poll(() => streams.every(({ messages }) => messages.length === one.state.seq)).toBe(true);
    const listeners = () => stage.stage.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'pilothouse listener' AND datname = current_database()");
    expect(await listeners()).toHaveLength(1);

    const told = performance.now();
    await stage.web().stop();
    const tookMs = performance.now() - told;
    expect(tookMs).toBeLessThan(3_000); // usually some 300 ms
    await Promise.all(streams.map(({ ended }) => ended));
    expect(await listeners()).toHaveLength(0);
    await stage.restartWeb();
    await round(one);
    await end(one);
    const cursor = String(seqs(streams[0] ?? (await open('/none'))).at(-1));
    const back = await open(`/runs/${one.run.runId}/events`, { 'last-event-id': cursor });
    await back.ended;
    expect(seqs(back)).toEqual((await stored(one)).filter((seq) => seq > Number(cursor)));
  }, 120_000);
});
