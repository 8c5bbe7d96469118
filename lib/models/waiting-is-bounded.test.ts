import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelDelta, ModelOutcome, ModelRequest } from '@/lib/agent/ports';
import type { FakeOpenai, FakeResponse } from '@/lib/testing/fake-openai-server';
import { completionChunks, hang, raw, sse, startFakeOpenai } from '@/lib/testing/fake-openai-server';
import { openAiCompatibleModel } from './openai-compatible';
import { patientDispatcher } from './patient-dispatcher';
import type { OpenAiCompatibleSettings } from './openai-compatible';
import { modelRequest } from './testing/model-request';
import { DONE, end, streamOf, text, USAGE } from './testing/read-stream';

let fake: FakeOpenai;
beforeEach(async () => {
  fake = await startFakeOpenai();
});
afterEach(() => fake.close());

function ask(answer: FakeResponse, settings: OpenAiCompatibleSettings = {}, request: Partial<ModelRequest> = {}): Promise<ModelOutcome> {
  fake.push(answer);
  return openAiCompatibleModel({ ...settings, baseUrl: fake.url }).request(modelRequest(request));
}

function events(body: string, then: 'end' | 'hang'): FakeResponse {
  return raw(body, 'text/event-stream', { then });
}

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    const outcome = await ask(hang(), {}, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'aborted', retryable: false }, usage: { state: 'unknown', reason: 'aborted' } });
    expect(fake.requests).toHaveLength(0);
  });

  it('while nothing was answered settles at once, and the connection is closed', async () => {
    const controller = new AbortController();
    const silent: FakeResponse = { body: [{ until: new Promise(() => undefined) }] };
    const outcome = ask(silent, {}, { signal: controller.signal });
    await fake.received(1);
    const since = performance.now();
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'failed', failure: { class: 'aborted' }, usage: { state: 'unknown' }, partialText: '' });
    expect(performance.now() - since).toBeLessThan(1_000);
    await fake.abandoned(1);
  });

  it('in mid-stream keeps the text, and usage seen is an estimate', async () => {
    const controller = new AbortController();
    const seen: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta): void => {
      seen.push(delta);
      controller.abort();
    };
    const body = streamOf({ ...text('par'), usage: USAGE }, text('tial'), end('stop', USAGE), DONE);
    const outcome = await ask(events(body, 'hang'), {}, { signal: controller.signal, onDelta });
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'aborted' }, usage: { state: 'estimated', inputTokens: 10, outputTokens: 4 } });
    // Nobody is told more after the abort.
    expect(seen).toEqual([{ kind: 'text', text: 'par' }]);
  });

  it('while late usage is waited for is an abort still', async () => {
    const controller = new AbortController();
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const outcome = ask(events(streamOf(text('yes'), end('stop')), 'hang'), {}, { signal: controller.signal, onDelta: () => tell() });
    await told;
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'failed', failure: { class: 'aborted' }, partialText: 'yes', usage: { state: 'unknown' } });
  });
});

describe('silence', () => {
  // Far beyond what a busy machine needs for one exchange.
  const idle = { idleSeconds: 1 };
  const timeout = { kind: 'failed', failure: { class: 'timeout', code: 'idle_timeout', retryable: true } };

  it('before the status line ends the attempt', async () => {
    const outcome = await ask({ body: [{ until: new Promise(() => undefined) }] }, idle);
    expect(outcome).toMatchObject({ ...timeout, usage: { state: 'unknown' } });
  });

  it('in mid-stream ends the attempt, keeping what came', async () => {
    const outcome = await ask(events(streamOf({ ...text('par'), usage: USAGE }), 'hang'), idle);
    expect(outcome).toMatchObject({ ...timeout, partialText: 'par', usage: { state: 'estimated', outputTokens: 4 } });
    if (outcome.kind === 'failed') expect(outcome.frames).toHaveLength(1);
  });

  it('in the body of a refusal ends the attempt', async () => {
    expect(await ask({ status: 500, body: ['{'], then: 'hang' }, idle)).toMatchObject(timeout);
  });

  it('shorter than the limit, again and again, does not', async () => {
    const pieces = completionChunks({ text: 'a slow but living answer' }).flatMap((chunk) => [chunk, { delayMs: 250 }]);
    const outcome = await ask(sse([...pieces, '[DONE]']), idle);
    expect(outcome).toMatchObject({ kind: 'responded', text: 'a slow but living answer' });
  });
});

describe("Node's own limit of 300 seconds", () => {
  it('is switched off, so that a longer idle limit means what it says', () => {
    const dispatcher = patientDispatcher();
    if (dispatcher === undefined) throw new Error('this Node does not tell its dispatcher');
    const options = Object.getOwnPropertySymbols(dispatcher).map((symbol) => (dispatcher as Record<symbol, unknown>)[symbol]);
    expect(options).toContainEqual(expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 }));
  });
});

describe('after the finish_reason', () => {
  it('late usage is waited for', async () => {
    const late = { until: Promise.resolve() };
    const outcome = await ask(sse([text('yes'), end('stop'), late, { delayMs: 50 }, { choices: [], usage: USAGE }, '[DONE]']));
    expect(outcome).toMatchObject({ kind: 'responded', text: 'yes', usage: { state: 'known', inputTokens: 10 } });
  });

  it('usage that never comes is unknown, and the answer stands', async () => {
    const outcome = await ask(events(streamOf(text('yes'), end('stop')), 'hang'), { lateUsageMs: 50 });
    expect(outcome).toMatchObject({ kind: 'responded', text: 'yes', usage: { state: 'unknown', reason: 'usage_missing' } });
    await fake.abandoned(1);
  });

  it('a last event that lacks its blank line is read all the same', async () => {
    const body = streamOf(text('yes'), end('stop'), { choices: [], usage: USAGE }).replaceAll('\n', '\r');
    expect(await ask(events(body, 'hang'), { lateUsageMs: 50 })).toMatchObject({ kind: 'responded', usage: { state: 'known' } });
  });

  it('an error that leaves the stream open fails soon', async () => {
    const outcome = await ask(events(streamOf(text('par'), { error: { message: 'boom', code: 503 } }), 'hang'), { lateUsageMs: 50 });
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'overload' }, partialText: 'par' });
  });

  it('[DONE] needs no end of the body', async () => {
    expect(await ask(events(streamOf(text('yes'), end('stop', USAGE), DONE), 'hang'))).toMatchObject({ kind: 'responded', usage: { state: 'known' } });
    await fake.abandoned(1);
  });
});
