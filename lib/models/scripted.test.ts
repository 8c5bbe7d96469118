import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '@/lib/agent/ports';
import { loadScript, parseScript } from './script';
import type { Script } from './script';
import { scriptedModel } from './scripted';
import { modelRequest } from './testing/model-request';

function script(entries: unknown): Script {
  const parsed = parseScript(JSON.stringify(entries));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.script;
}

describe('the scripted model', () => {
  it('answers each settled request of a task with its entry', async () => {
    const model = scriptedModel(
      script([
        {
          reasoning: 'hm',
          text: 'I look.',
          tool_calls: [{ name: 'list_files', arguments: { path: '.' } }, { name: 'edit', arguments: '{broken', id: 'mine' }, { name: 'noop', arguments: '' }],
          usage: { input_tokens: 10, output_tokens: 3, cached_tokens: 4 },
        },
        { text: 'Done 😀.' },
      ]),
    );
    expect(await model.request(modelRequest())).toEqual({
      kind: 'responded',
      text: 'I look.',
      reasoning: 'hm',
      calls: [
        { providerCallId: 'script_1_1', name: 'list_files', arguments: '{"path":"."}' },
        { providerCallId: 'mine', name: 'edit', arguments: '{broken' },
        { providerCallId: 'script_1_3', name: 'noop', arguments: '{}' },
      ],
      finishReason: 'tool_calls',
      usage: { state: 'known', inputTokens: 10, outputTokens: 3, cachedTokens: 4, reasoningTokens: 0 },
    });
    const deltas: ModelDelta[] = [];
    const second = await model.request(modelRequest({ taskRequestIndex: 1, onDelta: (delta) => deltas.push(delta) }));
    expect(second).toMatchObject({ text: 'Done 😀.', finishReason: 'stop', usage: { state: 'unknown', reason: 'usage_missing' } });
    expect(deltas.map((delta) => delta.text).join('')).toBe('Done 😀.');
    expect(deltas.length).toBeGreaterThan(1);
  });

  it('fails loudly on a request without an entry, and says how to get a model', async () => {
    const outcome = await scriptedModel([], undefined, 'Set a key.').request(modelRequest());
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: { class: 'script', code: 'script_unexpected_request', retryable: false, message: expect.stringContaining('Set a key.') as string },
    });
  });

  it('fails loudly on a request that is not what the entry expects', async () => {
    const expecting = (expect: object) => scriptedModel(script([{ text: 'x', expect }])).request(modelRequest());
    const unmet = { kind: 'failed', failure: { class: 'script', code: 'script_expectation', retryable: false } };
    expect(await expecting({ last_message_includes: 'nowhere' })).toMatchObject(unmet);
    expect(await expecting({ system_prompt_includes: 'nowhere' })).toMatchObject(unmet);
    expect(await expecting({ tools_include: ['edit'] })).toMatchObject(unmet);
    expect(await expecting({ last_message_includes: 'Do it', system_prompt_includes: 'agent', tools_include: [] })).toMatchObject({ kind: 'responded' });
  });

  it('says which entries were not used', () => {
    const model = scriptedModel(script([{ text: 'a' }, { text: 'b' }, { text: 'c' }]));
    expect(model.unfinished(1)).toMatchObject({ class: 'script', code: 'script_unused_entries', retryable: false, message: expect.stringContaining('2 of') as string });
    expect(model.unfinished(3)).toBeNull();
  });

  it('fails as an entry says, keeping text and usage', async () => {
    const error = { class: 'rate', code: 'slow_down', retry_after_ms: 20, http_status: 429 };
    const model = scriptedModel(script([{ text: 'par', error, usage: { input_tokens: 5, output_tokens: 1 } }, { error: { class: 'auth' } }]));
    expect(await model.request(modelRequest())).toMatchObject({
      kind: 'failed',
      failure: { class: 'rate', code: 'slow_down', retryable: true, retryAfterMs: 20, httpStatus: 429 },
      partialText: 'par',
      usage: { state: 'known', inputTokens: 5 },
    });
    expect(await model.request(modelRequest({ taskRequestIndex: 1 }))).toMatchObject({ failure: { class: 'auth', code: 'auth', retryable: false }, usage: { state: 'unknown' } });
  });

  it('runs no call of an entry that is cut', async () => {
    const model = scriptedModel(script([{ text: 'half', tool_calls: [{ name: 'edit' }], finish_reason: 'length' }]));
    expect(await model.request(modelRequest())).toMatchObject({ calls: [], finishReason: 'length' });
  });

  it('stops waiting when the signal fires, and keeps what was shown', async () => {
    const controller = new AbortController();
    const outcome = await scriptedModel(script([{ text: 'abcd', delay_ms: 400 }])).request(
      modelRequest({ signal: controller.signal, onDelta: () => controller.abort() }),
    );
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'aborted' }, partialText: 'a', usage: { state: 'unknown' } });
    const before = await scriptedModel(script([{ text: 'abcd', delay_ms: 2_000_000_000 }])).request(modelRequest({ signal: AbortSignal.abort() }));
    expect(before).toMatchObject({ failure: { class: 'aborted' }, partialText: '' });
  });

  it('costs nothing, which is known, unless its name has a price', () => {
    expect(scriptedModel([]).price('scripted')).toEqual({ input: 0, cachedInput: 0, output: 0 });
    const prices = new Map([['scripted', { input: 1, cachedInput: 1, output: 2 }]]);
    expect(scriptedModel([], prices).price('scripted')).toMatchObject({ output: 2 });
  });
});

describe('a script', () => {
  it.each<[string, string, string]>([
    ['not JSON', '[{', 'not_json'],
    ['not a list', '{"text":"x"}', 'invalid'],
    ['a misspelt key', '[{"text":"x"},{"txt":"x"}]', 'invalid'],
    ['a fractional count', '[{"usage":{"input_tokens":1.5,"output_tokens":1}}]', 'invalid'],
    ['more cached than input', '[{"usage":{"input_tokens":1,"output_tokens":1,"cached_tokens":2}}]', 'invalid'],
    ['an unknown failure class', '[{"error":{"class":"bad luck"}}]', 'invalid'],
  ])('that is %s is refused', (_name, text, problem) => {
    const result = parseScript(text, 'demo.json');
    expect(result).toMatchObject({ ok: false, problem });
    if (!result.ok) expect(result.message).toContain('demo.json');
  });

  it('says which entry is wrong', () => {
    expect(parseScript('[{"text":"x"},{"tool_calls":[{"name":7}]}]')).toMatchObject({ message: expect.stringContaining('entry 2, tool_calls.0.name') as string });
  });

  it('that cannot be read says so', () => {
    expect(loadScript('/nowhere/demo.json')).toMatchObject({ ok: false, problem: 'unreadable', message: expect.stringContaining('/nowhere/demo.json') as string });
  });
});
