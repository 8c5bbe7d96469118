/** Answers for the fake endpoint: well-behaved ones, and the ordinary faults. */
import type { FakeResponse } from './fake-openai-server';

export interface FakeCompletion {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments?: object | string; readonly id?: string }[];
  /** null: none is reported. Default: 100 in, 10 out. */
  readonly usage?: FakeUsage | null;
  readonly finishReason?: string;
  readonly model?: string;
}

export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** A whole, well-behaved stream. */
export function completion(given: FakeCompletion): FakeResponse {
  return sse([...completionChunks(given), '[DONE]']);
}

export function completionChunks(given: FakeCompletion): readonly object[] {
  const base = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model: given.model ?? 'fake' };
  const chunk = (delta: object, finish: string | null = null) => ({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const calls = given.calls ?? [];
  const usage = usageFields(given.usage);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(given.reasoning === undefined ? [] : [chunk({ reasoning_content: given.reasoning })]),
    ...(given.text === undefined ? [] : halves(given.text).map((content) => chunk({ content }))),
    ...calls.flatMap((call, index) => {
      const [head, tail] = halves(argumentsText(call.arguments));
      const first = { index, id: call.id ?? `call_fake_${index}`, type: 'function', function: { name: call.name, arguments: head ?? '' } };
      return [
        chunk({ tool_calls: [first] }),
        ...(tail === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: tail } }] })]),
      ];
    }),
    chunk({}, given.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(usage === undefined ? [] : [{ ...base, choices: [], usage }]),
  ];
}

/** The answer of an endpoint that ignores `stream`. */
export function jsonCompletion(given: FakeCompletion): FakeResponse {
  const calls = given.calls ?? [];
  const message = {
    role: 'assistant',
    content: given.text ?? null,
    ...(given.reasoning === undefined ? {} : { reasoning_content: given.reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call, index) => ({
            id: call.id ?? `call_fake_${index}`,
            type: 'function',
            function: { name: call.name, arguments: argumentsText(call.arguments) },
          })),
        }),
  };
  const usage = usageFields(given.usage);
  return raw(
    JSON.stringify({
      id: 'chatcmpl-fake',
      object: 'chat.completion',
      created: 0,
      model: given.model ?? 'fake',
      choices: [{ index: 0, message, finish_reason: given.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop') }],
      ...(usage === undefined ? {} : { usage }),
    }),
    'application/json',
  );
}

/** Events with these data; objects as JSON. Waits may stand between. */
export function sse(events: readonly (object | '[DONE]' | { readonly delayMs: number } | { readonly until: Promise<unknown> })[]): FakeResponse {
  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    body: events.map((event) => {
      if (typeof event === 'string') return `data: ${event}\n\n`;
      if ('delayMs' in event || 'until' in event) return event;
      return `data: ${JSON.stringify(event)}\n\n`;
    }),
  };
}

export function raw(body: string | Uint8Array, contentType: string, more: Partial<FakeResponse> = {}): FakeResponse {
  return { headers: { 'content-type': contentType }, body: [body], ...more };
}

export function httpError(status: number, error: object, headers: Readonly<Record<string, string>> = {}): FakeResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: [JSON.stringify({ error })] };
}

/** Accepts the request and never says anything. */
export function hang(): FakeResponse {
  return { body: [], headers: { 'content-type': 'text/event-stream' }, then: 'hang' };
}

function usageFields(usage: FakeUsage | null | undefined): object | undefined {
  if (usage === null) return undefined;
  const { input, output, cached = 0, reasoning = 0 } = usage ?? { input: 100, output: 10 };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function argumentsText(given: object | string | undefined): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? {});
}

function halves(text: string): readonly string[] {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)].map((part) => part.join('')).filter((part) => part !== '');
}
