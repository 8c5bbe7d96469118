import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelOutcome } from '@/lib/agent/ports';
import type { FakeOpenai, FakeResponse } from '@/lib/testing/fake-openai-server';
import { completion, jsonCompletion, startFakeOpenai } from '@/lib/testing/fake-openai-server';
import { openAiCompatibleModel } from './openai-compatible';
import { modelRequest } from './testing/model-request';
import { call, DONE, end, readStream, streamOf, text, USAGE } from './testing/read-stream';

const wholeCall = call(0, { id: 'call_1', name: 'write_file', arguments: '{"path":"a.txt","content":"x"}' });

describe('a stream that ends before its end', () => {
  it('runs no call, even one with complete arguments', () => {
    const outcome = readStream(streamOf(text('I write.'), wholeCall));
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: { class: 'incomplete', retryable: true },
      partialText: 'I write.',
      usage: { state: 'unknown' },
    });
    expect(outcome).not.toHaveProperty('calls');
  });

  it('ends so when the last frame is half a frame', () => {
    expect(readStream(`${streamOf(wholeCall)}data: {"choices":[{"ind`)).toMatchObject({ kind: 'failed', failure: { class: 'incomplete' } });
  });

  it('ends so when nothing came at all', () => {
    expect(readStream('')).toMatchObject({ kind: 'failed', failure: { class: 'incomplete' }, partialText: '' });
    expect(readStream('\n\n: only a comment\n\n')).toMatchObject({ kind: 'failed', failure: { class: 'incomplete' } });
  });

  it('counts usage seen before as a lower bound', () => {
    expect(readStream(streamOf({ ...text('a'), usage: USAGE })).usage).toEqual({
      state: 'estimated',
      inputTokens: 10,
      outputTokens: 4,
      cachedTokens: 0,
      reasoningTokens: 0,
    });
  });

  it('keeps its raw frames as evidence, bounded', () => {
    const outcome = readStream(streamOf(...Array.from({ length: 100 }, (_, n) => text(`t${n}`))));
    if (outcome.kind !== 'failed') throw new Error('must fail');
    expect(outcome.frames).toHaveLength(64);
    expect(outcome.frames.at(-1)).toContain('t99');
    const large = readStream(streamOf(text('ä'.repeat(200_000))));
    if (large.kind !== 'failed') throw new Error('must fail');
    expect(Buffer.byteLength(large.frames.join(''), 'utf8')).toBeLessThanOrEqual(64 * 1024);
    expect(large.frames.join('')).toContain('ä');
  });
});

describe('terminal evidence', () => {
  it('is a finish_reason without [DONE]', () => {
    expect(readStream(streamOf(wholeCall, end('tool_calls')))).toMatchObject({ kind: 'responded', calls: [{ name: 'write_file' }] });
  });

  it('is [DONE] without a finish_reason, and the reason is unknown', () => {
    expect(readStream(streamOf(wholeCall, DONE))).toMatchObject({ kind: 'responded', calls: [{ name: 'write_file' }], finishReason: 'unknown' });
  });

  it('is [DONE] without the line end after it', () => {
    expect(readStream(`${streamOf(text('hi'))}data: [DONE]`)).toMatchObject({ kind: 'responded', text: 'hi', finishReason: 'unknown' });
  });

  it('ends the reading: nothing after [DONE] is read', () => {
    expect(readStream(streamOf(text('a'), DONE, text('b'), 'data: {broken\n\n'))).toMatchObject({ kind: 'responded', text: 'a' });
  });
});

describe('a socket that is cut', () => {
  let fake: FakeOpenai;
  beforeAll(async () => {
    fake = await startFakeOpenai();
  });
  afterAll(() => fake.close());

  const ask = (answer: FakeResponse): Promise<ModelOutcome> => {
    fake.push(answer);
    return openAiCompatibleModel({ baseUrl: fake.url }).request(modelRequest());
  };
  const answer = completion({ text: 'I write.', calls: [{ name: 'write_file', arguments: { path: 'a' } }] });
  const bytes = Buffer.concat(answer.body.map((part) => Buffer.from(part as string)));
  const evidence = bytes.indexOf('"finish_reason":"tool_calls"');

  it.each([1, 100, 400, evidence - 200])('after %i bytes runs no call and can be retried', async (cutAfterBytes) => {
    const outcome = await ask({ ...answer, cutAfterBytes });
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'connection', retryable: true }, usage: { state: 'unknown' } });
    expect(outcome).not.toHaveProperty('calls');
  });

  it('before the status line is a connection failure', async () => {
    expect(await ask({ body: [], refuse: true })).toMatchObject({ kind: 'failed', failure: { class: 'connection', retryable: true }, partialText: '' });
  });

  it('after the finish_reason still is an answer, whose usage is unknown', async () => {
    const cutAfterBytes = bytes.indexOf('"usage"') - 10;
    expect(await ask({ ...answer, cutAfterBytes })).toMatchObject({
      kind: 'responded',
      calls: [{ name: 'write_file' }],
      usage: { state: 'unknown', reason: 'usage_missing' },
    });
  });

  it('inside a JSON body runs no call', async () => {
    const whole = jsonCompletion({ calls: [{ name: 'write_file' }] });
    expect(await ask({ ...whole, cutAfterBytes: 60 })).toMatchObject({ kind: 'failed', failure: { class: 'connection' } });
  });

  it('refused by nobody listening is a connection failure', async () => {
    const gone = await startFakeOpenai();
    await gone.close();
    const outcome = await openAiCompatibleModel({ baseUrl: gone.url }).request(modelRequest());
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'connection', code: 'ECONNREFUSED', retryable: true } });
  });
});
