import { describe, expect, it } from 'vitest';
import { readUsage } from './read-usage';
import { delta, DONE, end, readStream, streamOf, text, USAGE } from './testing/read-stream';

describe('readUsage', () => {
  it('is null when nothing was reported', () => {
    for (const nothing of [undefined, null, {}]) expect(readUsage(nothing)).toBeNull();
  });

  it.each<[string, object]>([
    ['OpenAI', { prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 3 } }],
    ['DeepSeek', { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4, completion_tokens_details: { reasoning_tokens: 3 } }],
    ['Moonshot', { cached_tokens: 6, completion_tokens_details: { reasoning_tokens: 3 } }],
    ['empty details', { prompt_tokens_details: { cached_tokens: null }, prompt_cache_hit_tokens: 6, reasoning_tokens: 3 }],
  ])('reads the details as %s names them', (_name, details) => {
    expect(readUsage({ ...USAGE, ...details })).toEqual({
      valid: true,
      counts: { inputTokens: 10, outputTokens: 4, cachedTokens: 6, reasoningTokens: 3 },
    });
  });

  it('adds cached tokens to an input whose total says that it leaves them out', () => {
    const report = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 104, prompt_tokens_details: { cached_tokens: 90 } };
    expect(readUsage(report)).toMatchObject({ counts: { inputTokens: 100, outputTokens: 4, cachedTokens: 90 } });
  });

  it('adds reasoning to an output whose total says that it leaves it out', () => {
    const report = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 114, completion_tokens_details: { reasoning_tokens: 100 } };
    expect(readUsage(report)).toMatchObject({ counts: { inputTokens: 10, outputTokens: 104, reasoningTokens: 100 } });
  });

  it('refuses cached tokens beyond the input that no total explains', () => {
    expect(readUsage({ ...USAGE, prompt_tokens_details: { cached_tokens: 11 } })).toMatchObject({ valid: false });
  });

  const noCounts = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '10', true, null, undefined, [10], {}];
  it.each(noCounts)('refuses %s as a count of prompt or completion', (value) => {
    for (const field of ['prompt_tokens', 'completion_tokens']) {
      expect(readUsage({ ...USAGE, [field]: value })).toMatchObject({ valid: false, reason: expect.stringMatching(/^usage_invalid/) as string });
    }
  });

  it.each([-1, 0.5, 2 ** 53, '3', false])('refuses %s as a detail or total', (value) => {
    expect(readUsage({ ...USAGE, total_tokens: value })).toMatchObject({ valid: false });
    expect(readUsage({ ...USAGE, prompt_tokens_details: { cached_tokens: value } })).toMatchObject({ valid: false });
    expect(readUsage({ ...USAGE, completion_tokens_details: { reasoning_tokens: value } })).toMatchObject({ valid: false });
  });

  it('refuses counts whose sum is none', () => {
    expect(readUsage({ prompt_tokens: 2 ** 53 - 1, completion_tokens: 1 })).toMatchObject({ valid: false });
    expect(readUsage('many')).toMatchObject({ valid: false });
  });
});

describe('usage of a response', () => {
  const second = { prompt_tokens: 10, completion_tokens: 9, total_tokens: 19 };

  it('is the last report, never a sum', () => {
    const outcome = readStream(streamOf({ ...text('a'), usage: USAGE }, end('stop', second), { choices: [], usage: second }, { choices: [], usage: null }, DONE));
    expect(outcome.usage).toEqual({ state: 'known', inputTokens: 10, outputTokens: 9, cachedTokens: 0, reasoningTokens: 0 });
  });

  it('is unknown when none came, and that is not 0', () => {
    expect(readStream(streamOf(text('a'), end('stop'), DONE)).usage).toEqual({ state: 'unknown', reason: 'usage_missing' });
  });

  it('is unknown when the last report is nonsense, and the text is delivered', () => {
    const outcome = readStream(streamOf({ ...text('ok'), usage: USAGE }, end('stop', { ...USAGE, completion_tokens: -4 }), DONE));
    expect(outcome).toMatchObject({ kind: 'responded', text: 'ok', usage: { state: 'unknown', reason: 'usage_invalid: completion_tokens' } });
  });

  it('beyond 2^53 on the wire is refused, not rounded', () => {
    const raw = 'data: {"choices":[],"usage":{"prompt_tokens":9007199254740993,"completion_tokens":1}}\n\n';
    expect(readStream(streamOf(text('ok'), end('stop'), raw, DONE)).usage).toMatchObject({ state: 'unknown' });
  });

  it('may stand in the fields of Groq and Moonshot, and once beside the usual one', () => {
    expect(readStream(streamOf(text('a'), { ...end('stop'), x_groq: { usage: second } })).usage).toMatchObject({ outputTokens: 9 });
    expect(readStream(streamOf(text('a'), { ...end('stop', USAGE), x_groq: { usage: second } })).usage).toMatchObject({ outputTokens: 4 });
    const inChoice = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: second }] };
    expect(readStream(streamOf(text('a'), inChoice)).usage).toMatchObject({ outputTokens: 9 });
  });

  it('of a response that is only reasoning is kept', () => {
    expect(readStream(streamOf(delta({ reasoning_content: 'x' }), end('stop', USAGE))).usage).toMatchObject({ state: 'known' });
  });
});
