import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelDelta } from '@/lib/agent/ports';
import type { ChatMessage } from '@/lib/domain/message';
import type { FakeOpenai } from '@/lib/testing/fake-openai-server';
import { completion, jsonCompletion, sse, startFakeOpenai } from '@/lib/testing/fake-openai-server';
import { chatRequest } from './chat-request';
import { dialectOf } from './dialect';
import { openAiCompatibleModel } from './openai-compatible';
import { modelRequest } from './testing/model-request';
import { end } from './testing/read-stream';

const history: readonly ChatMessage[] = [
  { role: 'user', origin: 'goal', text: 'Do it.' },
  {
    role: 'assistant',
    text: '',
    reasoning: 'secret thoughts',
    calls: [
      { callId: 'call_01', providerCallId: 'fc:0', name: 'read_file', arguments: '{"path":"a"}' },
      { callId: 'call_02', providerCallId: '', name: 'read_file', arguments: '{"path":"b"}' },
      { callId: 'call_03', providerCallId: 'fc:0', name: 'read_file', arguments: '{"path":"c"}' },
    ],
  },
  { role: 'tool', callId: 'call_01', providerCallId: 'fc:0', text: 'A' },
  { role: 'tool', callId: 'call_02', providerCallId: '', text: 'B' },
  { role: 'tool', callId: 'call_03', providerCallId: 'fc:0', text: 'C' },
  { role: 'assistant', text: '', reasoning: 'only thoughts', calls: [] },
  { role: 'user', origin: 'report', text: 'Where are you?' },
];
const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }];

describe('a request', () => {
  let fake: FakeOpenai;
  beforeAll(async () => {
    fake = await startFakeOpenai({ strict: true });
  });
  afterAll(() => fake.close());

  it('is one that a strict endpoint takes, with the key and without more', async () => {
    fake.push(completion({ text: 'ok' }));
    const model = openAiCompatibleModel({ apiKey: ' sk-test-key ', baseUrl: `${fake.url}/` });
    const outcome = await model.request(modelRequest({ messages: history, tools, maxOutputTokens: 500 }));
    expect(outcome).toMatchObject({ kind: 'responded', text: 'ok' });
    const request = await fake.received(1);
    expect(request.path).toBe('/v1/chat/completions');
    expect(request.headers.authorization).toBe('Bearer sk-test-key');
    expect(JSON.parse(request.bodyText)).toEqual({
      model: 'fake',
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: 'Do it.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'fc:0', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
            { id: 'call_02', type: 'function', function: { name: 'read_file', arguments: '{"path":"b"}' } },
            { id: 'call_03', type: 'function', function: { name: 'read_file', arguments: '{"path":"c"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'fc:0', content: 'A' },
        { role: 'tool', tool_call_id: 'call_02', content: 'B' },
        { role: 'tool', tool_call_id: 'call_03', content: 'C' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Where are you?' },
      ],
      tools: [{ type: 'function', function: tools[0] }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 500,
    });
  });

  it('without a key has no Authorization header, and without tools no list of them', async () => {
    fake.push(jsonCompletion({ text: 'ok', usage: { input: 5, output: 2, cached: 3, reasoning: 1 } }));
    const outcome = await openAiCompatibleModel({ baseUrl: fake.url }).request(modelRequest());
    expect(outcome).toMatchObject({
      kind: 'responded',
      usage: { state: 'known', inputTokens: 5, outputTokens: 2, cachedTokens: 3, reasoningTokens: 1 },
    });
    const request = fake.requests.at(-1);
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.bodyText).not.toContain('"tools"');
    expect(request?.bodyText).not.toContain('max_');
  });

  it('is told in whole characters to whoever watches', async () => {
    const [high, low] = ['\ud83d', '\ude00'].map((content) => `{"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}`);
    fake.push(sse([...[high ?? '', low ?? ''].map((json) => JSON.parse(json) as object), end('stop'), '[DONE]']));
    const deltas: ModelDelta[] = [];
    const outcome = await openAiCompatibleModel({ baseUrl: fake.url }).request(modelRequest({ onDelta: (delta) => deltas.push(delta) }));
    expect(outcome).toMatchObject({ text: '😀' });
    expect(deltas).toEqual([{ kind: 'text', text: '😀' }]);
  });

  it('of a hundred at once each gets its own answer', async () => {
    fake.always((request) => completion({ text: `answer to ${request.body.messages?.at(-1)?.content ?? ''}` }));
    const model = openAiCompatibleModel({ baseUrl: fake.url });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => model.request(modelRequest({ messages: [{ role: 'user', origin: 'goal', text: `${n}` }] }))),
    );
    outcomes.forEach((outcome, n) => {
      expect(outcome).toMatchObject({ text: `answer to ${n}` });
    });
  });
});

describe('dialects', () => {
  it('differ only where an endpoint refuses the plain form', () => {
    expect(dialectOf('https://api.openai.com/v1')).toEqual({ outputLimitField: 'max_completion_tokens', returnsReasoning: false });
    expect(dialectOf('https://api.deepseek.com')).toEqual({ outputLimitField: 'max_tokens', returnsReasoning: true });
    for (const other of ['http://127.0.0.1:8000/v1', 'https://openai.com.example.org', 'https://notdeepseek.com', 'nonsense']) {
      expect(dialectOf(other)).toEqual({ outputLimitField: 'max_tokens', returnsReasoning: false });
    }
  });

  it('that want reasoning back get it with every message that has calls, even empty', () => {
    const dialect = { outputLimitField: 'max_tokens', returnsReasoning: true } as const;
    const bare: ChatMessage = { role: 'assistant', text: 'x', calls: [{ callId: 'call_09', providerCallId: 'p', name: 'n', arguments: '{}' }] };
    const sent = chatRequest(modelRequest({ messages: [...history, bare] }), dialect)['messages'];
    const assistants = (sent as { role: string; reasoning_content?: string }[]).filter((message) => message.role === 'assistant');
    expect(assistants.map((message) => message.reasoning_content)).toEqual(['secret thoughts', undefined, '']);
  });
});
