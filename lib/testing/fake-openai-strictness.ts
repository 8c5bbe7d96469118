/** What strict endpoints refuse, so that a test notices a history no provider would take. */
import type { FakeChatMessage, FakeChatRequest } from './fake-openai-server';

/** The first rule that the request breaks, in words, or undefined. */
export function offenceOf(request: FakeChatRequest): string | undefined {
  const messages = request.messages ?? [];
  if (typeof request.model !== 'string' || request.model === '') return 'The request names no model.';
  if (messages.length === 0) return 'The request has no messages.';
  if (request.stream_options !== undefined && request.stream !== true) return 'stream_options is allowed only with stream.';
  const systems = messages.filter((message) => message.role === 'system');
  if (systems.length > 1) return 'There is more than one system message.';
  if (systems.length === 1 && messages[0]?.role !== 'system') return 'The system message is not the first.';
  return offenceInPairs(messages);
}

/** Each call is answered by exactly one tool message, right after the message that holds it. */
function offenceInPairs(messages: readonly FakeChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [position, message] of messages.entries()) {
    const at = `messages[${position}]`;
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) return `${at} answers a call that is not open.`;
      if (typeof message.content !== 'string') return `${at} has no content.`;
      continue;
    }
    if (open.size > 0) return `${at} comes before the calls ${[...open].join(', ')} are answered.`;
    if (message.role === 'assistant') {
      const calls = message.tool_calls ?? [];
      const ids = calls.map((call) => call.id ?? '');
      if (message.tool_calls?.length === 0) return `${at} has an empty list of calls.`;
      if (ids.includes('')) return `${at} has a call without an id.`;
      if (new Set(ids).size !== ids.length) return `${at} has two calls with one id.`;
      if (calls.some((call) => typeof call.function?.arguments !== 'string' || !call.function.name)) return `${at} has a call without name or arguments.`;
      if (calls.length === 0 && typeof message.content !== 'string') return `${at} has neither content nor calls.`;
      open = new Set(ids);
    } else if (message.role !== 'user' && message.role !== 'system') {
      return `${at} has the unknown role ${JSON.stringify(message.role)}.`;
    } else if (typeof message.content !== 'string') {
      return `${at} has no content.`;
    }
  }
  return open.size > 0 ? `The calls ${[...open].join(', ')} are not answered.` : undefined;
}
