import type { ModelRequest } from '@/lib/agent/ports';

/** A request that says nothing special. */
export function modelRequest(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    requestId: 'req_00000000000000000000000001',
    model: 'fake',
    systemPrompt: 'You are an agent.',
    messages: [{ role: 'user', origin: 'goal', text: 'Do it.' }],
    tools: [],
    taskRequestIndex: 0,
    signal: new AbortController().signal,
    onDelta: () => undefined,
    ...more,
  };
}
