/** A model request in the words of chat completions. Pure: equal requests give equal bytes (prefix caching). */
import type { ModelRequest } from '@/lib/agent/ports';
import type { CallId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { ChatMessage, MessageCall } from '@/lib/domain/message';
import type { Dialect } from './dialect';

type WireMessage = Readonly<Record<string, JsonValue>>;

export function chatRequest(request: ModelRequest, dialect: Dialect): Readonly<Record<string, JsonValue>> {
  return {
    model: request.model,
    messages: wireMessages(request.systemPrompt, request.messages, dialect),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.maxOutputTokens === undefined ? {} : { [dialect.outputLimitField]: request.maxOutputTokens }),
  };
}

function wireMessages(systemPrompt: string, messages: readonly ChatMessage[], dialect: Dialect): WireMessage[] {
  const sentIds = new Map<CallId, string>();
  const wire = messages.map((message): WireMessage => {
    if (message.role === 'user') return { role: 'user', content: message.text };
    if (message.role === 'tool') {
      const id = sentIds.get(message.callId) ?? (message.providerCallId || message.callId);
      return { role: 'tool', tool_call_id: id, content: message.text };
    }
    if (message.calls.length === 0) return { role: 'assistant', content: message.text };
    return {
      role: 'assistant',
      content: message.text === '' ? null : message.text,
      ...(dialect.returnsReasoning ? { reasoning_content: message.reasoning ?? '' } : {}),
      tool_calls: wireCalls(message.calls, sentIds),
    };
  });
  return systemPrompt === '' ? wire : [{ role: 'system', content: systemPrompt }, ...wire];
}

/**
 * The id goes back as it came. Where the provider gave none, or the same one twice
 * in a response, ours stands in: a result must belong to exactly one call.
 */
function wireCalls(calls: readonly MessageCall[], sentIds: Map<CallId, string>): JsonValue[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    const id = call.providerCallId === '' || taken.has(call.providerCallId) ? call.callId : call.providerCallId;
    taken.add(id);
    sentIds.set(call.callId, id);
    return { id, type: 'function', function: { name: call.name, arguments: call.arguments } };
  });
}
