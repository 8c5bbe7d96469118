import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelOutcome } from '@/lib/agent/ports';
import type { FakeOpenai, FakeResponse } from '@/lib/testing/fake-openai-server';
import { httpError, raw, startFakeOpenai } from '@/lib/testing/fake-openai-server';
import { openAiCompatibleModel } from './openai-compatible';
import { readRetryAfter } from './retry-after';
import { modelRequest } from './testing/model-request';

const KEY = 'sk-synthetic-0123456789abcdef';

let fake: FakeOpenai;
beforeAll(async () => {
  fake = await startFakeOpenai();
});
afterAll(() => fake.close());

function ask(answer: FakeResponse): Promise<ModelOutcome> {
  fake.push(answer);
  return openAiCompatibleModel({ apiKey: KEY, baseUrl: fake.url }).request(modelRequest());
}

describe('an HTTP refusal', () => {
  it.each<[number, object, object]>([
    [401, { message: 'no', code: 'invalid_api_key' }, { class: 'auth', code: 'invalid_api_key', retryable: false }],
    [403, { message: 'no' }, { class: 'auth', code: 'auth', retryable: false }],
    [402, { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' }, { class: 'quota', retryable: false }],
    [429, { message: 'pay', type: 'insufficient_quota', code: 'insufficient_quota' }, { class: 'quota', retryable: false }],
    [429, { message: 'pay', type: 'exceeded_current_quota_error' }, { class: 'quota', retryable: false }],
    [429, { message: 'slow', type: 'tokens', code: 'rate_limit_exceeded' }, { class: 'rate', code: 'rate_limit_exceeded', retryable: true }],
    [429, { message: 'slow' }, { class: 'rate', code: 'rate', retryable: true }],
    [408, { message: 'late' }, { class: 'timeout', retryable: true }],
    [500, { message: 'oops' }, { class: 'overload', retryable: true }],
    [503, { message: 'oops' }, { class: 'overload', retryable: true }],
    [529, { message: 'busy', type: 'overloaded_error' }, { class: 'overload', code: 'overloaded_error', retryable: true }],
    [400, { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' }, { class: 'context_length', code: 'context_length_exceeded', retryable: false }],
    [400, { message: "This model's maximum context length is 65536 tokens.", code: 'invalid_request_error' }, { class: 'context_length', retryable: false }],
    [400, { message: 'too long', type: 'exceed_context_size_error' }, { class: 'context_length', retryable: false }],
    [413, { message: 'Request too large', code: 'rate_limit_exceeded' }, { class: 'context_length', retryable: false }],
    [400, { message: 'filtered', code: 'content_filter' }, { class: 'content_filter', retryable: false }],
    [400, { message: 'filtered', innererror: { code: 'ResponsibleAIPolicyViolation' } }, { class: 'content_filter', retryable: false }],
    [400, { message: 'bad', type: 'invalid_request_error' }, { class: 'bad_request', code: 'invalid_request_error', retryable: false }],
    [404, { message: 'no such model', code: 'model_not_found' }, { class: 'bad_request', code: 'model_not_found', retryable: false }],
    [422, { message: 'bad' }, { class: 'bad_request', retryable: false }],
  ])('%i %j', async (status, error, failure) => {
    const outcome = await ask(httpError(status, error));
    expect(outcome).toMatchObject({ kind: 'failed', failure: { ...failure, httpStatus: status }, usage: { state: 'unknown' }, partialText: '' });
    if (outcome.kind === 'failed') expect(outcome.frames).toEqual([JSON.stringify({ error })]);
  });

  it.each<[string, FakeResponse, string]>([
    ['an error text', raw('{"error":"model not loaded"}', 'application/json', { status: 404 }), 'model not loaded'],
    ['a bare object', raw('{"code":"InvalidParameter","message":"bad"}', 'application/json', { status: 400 }), 'bad'],
    ['a detail', raw('{"detail":"Not Found"}', 'application/json', { status: 404 }), 'Not Found'],
    ['a list', raw('[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]', 'application/json', { status: 400 }), 'bad'],
    ['a page', raw('<h1>Bad Gateway</h1>', 'text/html', { status: 502 }), '<h1>Bad Gateway</h1>'],
    ['nothing', { status: 503, body: [] }, 'no body'],
  ])('that says %s keeps its words', async (_name, answer, words) => {
    const outcome = await ask(answer);
    expect(outcome).toMatchObject({ kind: 'failed', failure: { httpStatus: answer.status, message: expect.stringContaining(words) as string } });
  });

  it('keeps the request id and when to come again', async () => {
    expect(await ask(httpError(429, { message: 'slow' }, { 'x-request-id': 'req-7', 'retry-after': '2.5' }))).toMatchObject({
      failure: { providerRequestId: 'req-7', retryAfterMs: 2_500 },
    });
  });

  it('is bounded in its message and in what is read of it', async () => {
    const outcome = await ask(raw('x'.repeat(3_000_000), 'text/plain', { status: 500 }));
    if (outcome.kind !== 'failed') throw new Error('must fail');
    expect(outcome.failure.message.length).toBeLessThanOrEqual(2_000);
    expect(outcome.frames.join('').length).toBeLessThanOrEqual(64 * 1024);
  });

  it('never carries the key, even when the endpoint echoes it', async () => {
    const outcome = await ask(httpError(401, { message: `Bearer ${KEY} is wrong`, code: KEY }));
    expect(JSON.stringify(outcome)).not.toContain(KEY);
    expect(outcome).toMatchObject({ failure: { message: expect.stringContaining('[api key]') as string } });
  });

  it('is sent once: retries are not the adapter’s', async () => {
    const before = fake.requests.length;
    await ask(httpError(500, { message: 'oops' }));
    expect(fake.requests).toHaveLength(before + 1);
  });
});

describe('a key that cannot be a header', () => {
  it('fails without being shown', async () => {
    const broken = 'sk-synthetic\n0123456789abcdef';
    const outcome = await openAiCompatibleModel({ apiKey: broken, baseUrl: fake.url }).request(modelRequest());
    expect(outcome.kind).toBe('failed');
    expect(JSON.stringify(outcome)).not.toContain('0123456789abcdef');
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
    [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '1e99' }, undefined],
  ])('%j is %s ms', (headers, expected) => {
    expect(readRetryAfter(new Headers(headers), now)).toBe(expected);
  });
});
