import { describe, expect, it } from 'vitest';
import { call, delta, DONE, end, readStream, streamOf, text, USAGE } from './testing/read-stream';

describe('finish reasons', () => {
  it('length keeps the text and runs no call', () => {
    expect(readStream(streamOf(text('half'), call(0, { id: 'a', name: 'read' }), end('length', USAGE)))).toMatchObject({
      kind: 'responded',
      text: 'half',
      calls: [],
      finishReason: 'length',
      usage: { state: 'known' },
    });
  });

  it.each(['max_tokens', 'MAX_TOKENS', 'model_length'])('%s is length in other words', (reason) => {
    expect(readStream(streamOf(text('half'), call(0, { id: 'a', name: 'read' }), end(reason)))).toMatchObject({ calls: [], finishReason: 'length' });
  });

  it('content_filter fails for good and keeps text and usage', () => {
    expect(readStream(streamOf(text('Part'), end('content_filter', USAGE), DONE))).toMatchObject({
      kind: 'failed',
      failure: { class: 'content_filter', code: 'content_filter', retryable: false },
      partialText: 'Part',
      usage: { state: 'known', inputTokens: 10, outputTokens: 4 },
    });
  });

  it.each(['error', 'insufficient_system_resource'])('%s says that the answer was not finished', (reason) => {
    expect(readStream(streamOf(text('Part'), end(reason)))).toMatchObject({ kind: 'failed', failure: { code: reason, retryable: true }, partialText: 'Part' });
  });

  it.each(['eos', 'constructor', '__proto__'])('the unknown %s is an answer with visible content, else it is retried', (reason) => {
    expect(readStream(streamOf(text('yes'), end(reason)))).toMatchObject({ kind: 'responded', text: 'yes', finishReason: 'unknown' });
    expect(readStream(streamOf(call(0, { id: 'a', name: 'read' }), end(reason)))).toMatchObject({ kind: 'responded', finishReason: 'unknown' });
    for (const blank of ['', ' \n', '\u200b\u00a0\ufeff']) {
      expect(readStream(streamOf(delta({ reasoning_content: 'so' }), text(blank), end(reason, USAGE)))).toMatchObject({
        kind: 'failed',
        failure: { class: 'incomplete', retryable: true },
        usage: { state: 'known' },
      });
    }
  });

  it('[DONE] alone, with nothing visible, is retried', () => {
    expect(readStream(streamOf(DONE))).toMatchObject({ kind: 'failed', failure: { class: 'incomplete', retryable: true } });
  });

  it.each(['stop', 'tool_calls'])('%s without text and calls is a response: what it is worth is for the loop to say', (reason) => {
    expect(readStream(streamOf(delta({ reasoning_content: 'done' }), text('\u200b'), end(reason, USAGE)))).toMatchObject({
      kind: 'responded',
      text: '\u200b',
      reasoning: 'done',
      calls: [],
      usage: { state: 'known' },
    });
  });
});

describe('an error inside a 200', () => {
  const usage = { usage: USAGE };
  it.each<[string, string | object, object]>([
    ['an error object', { error: { message: 'boom', type: 'server_error' } }, { class: 'overload', code: 'server_error', message: 'boom' }],
    ['an error text', { error: 'boom' }, { class: 'provider_error', code: 'provider_error', message: 'boom' }],
    ['an empty error object', { error: {} }, { class: 'provider_error' }],
    ['an error event', 'event: error\ndata: {"error":{"message":"boom","code":502}}\n\n', { class: 'overload', code: '502', message: 'boom' }],
    ['an error event without an error key', 'event: error\ndata: {"message":"boom","code":"rate_limit_exceeded"}\n\n', { class: 'rate', retryable: true }],
    ['an error event that is no JSON', 'event: error\ndata: boom\n\n', { class: 'provider_error', message: 'boom', retryable: true }],
    ['an object called error', { object: 'error', message: 'boom', type: 'BadRequestError', code: 400 }, { class: 'bad_request', retryable: false }],
    ['an error of type error', { type: 'error', error: { type: 'overloaded_error', message: 'boom' } }, { class: 'overload' }],
    ["Groq's error field", { x_groq: { error: 'over capacity' } }, { class: 'provider_error', message: 'over capacity' }],
    ['an error beside a choice', { ...text(''), error: { code: 429, message: 'slow down' } }, { class: 'rate', code: '429' }],
  ])('%s fails the attempt, after a finish_reason too', (_name, error, failure) => {
    const calling = call(0, { id: 'a', name: 'read' });
    for (const before of [[text('par')], [text('par'), calling, end('tool_calls')]]) {
      const outcome = readStream(streamOf(...before, error, DONE));
      expect(outcome).toMatchObject({ kind: 'failed', failure, partialText: 'par' });
      expect(outcome).not.toHaveProperty('calls');
    }
  });

  it('keeps usage that came before, with, or after it', () => {
    const error = { error: { message: 'boom' } };
    expect(readStream(streamOf({ ...text('a'), ...usage }, error)).usage).toMatchObject({ state: 'estimated', inputTokens: 10 });
    expect(readStream(streamOf(text('a'), { ...error, ...usage })).usage).toMatchObject({ state: 'known', inputTokens: 10 });
    expect(readStream(streamOf(text('a'), error, { choices: [], ...usage })).usage).toMatchObject({ state: 'known', inputTokens: 10 });
    expect(readStream(streamOf('event: error\ndata: {"error":{},"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n')).usage).toMatchObject({ inputTokens: 3 });
  });

  it('counts in a JSON body, and in one labelled a stream', () => {
    const body = JSON.stringify({ error: { message: 'boom', code: 'context_length_exceeded' } });
    for (const contentType of ['application/json', 'text/event-stream']) {
      expect(readStream(body, { contentType })).toMatchObject({ kind: 'failed', failure: { class: 'context_length', retryable: false } });
    }
  });

  it('is none when it is null, false or empty', () => {
    for (const error of [null, false, '']) expect(readStream(streamOf({ ...text('ok'), error }, end('stop')))).toMatchObject({ kind: 'responded', text: 'ok' });
  });
});

describe('what is not the announced format', () => {
  it('fails, with the content type by name, and the body as evidence', () => {
    for (const contentType of ['text/html', 'text/event-stream', 'application/json', null]) {
      const outcome = readStream('<!doctype html><title>502</title>', { contentType, size: 1 });
      expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'malformed' }, frames: ['<!doctype html><title>502</title>'] });
      if (contentType !== null && outcome.kind === 'failed') expect(outcome.failure.message).toContain(contentType);
    }
    expect(readStream('upstream connect error', { contentType: 'text/plain' })).toMatchObject({ failure: { class: 'malformed' } });
  });

  it('fails for a chunk that is not JSON, keeping text and usage', () => {
    expect(readStream(streamOf({ ...text('par'), usage: USAGE }, 'data: {"choices": [oops]}\n\n', end('stop'), DONE))).toMatchObject({
      kind: 'failed',
      failure: { class: 'malformed', retryable: true },
      partialText: 'par',
      usage: { state: 'estimated' },
    });
  });

  it('fails for JSON that is no chunk and no completion', () => {
    expect(readStream(streamOf(text('a'), 'data: [1]\n\n', end('stop')))).toMatchObject({ failure: { class: 'malformed' } });
    for (const body of ['{"detail":"Not Found"}', '{"a":1', '[]', '{} {}']) {
      expect(readStream(body, { contentType: 'application/json' })).toMatchObject({ kind: 'failed', failure: { class: 'malformed' } });
    }
  });
});
