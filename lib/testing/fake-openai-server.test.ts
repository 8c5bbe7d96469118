import { describe, expect, it } from 'vitest';
import type { FakeChatMessage } from './fake-openai-server';
import { offenceOf } from './fake-openai-strictness';

const user: FakeChatMessage = { role: 'user', content: 'x' };
const asks = (...ids: string[]): FakeChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, function: { name: 'read', arguments: '{}' } })),
});
const answers = (id: string): FakeChatMessage => ({ role: 'tool', tool_call_id: id, content: 'r' });

describe('a strict fake endpoint', () => {
  it.each<[string, readonly FakeChatMessage[]]>([
    ['a plain question', [{ role: 'system', content: 's' }, user]],
    ['paired calls', [user, asks('a', 'b'), answers('b'), answers('a'), user]],
  ])('takes %s', (_name, messages) => {
    expect(offenceOf({ model: 'm', messages })).toBeUndefined();
  });

  it.each<[string, readonly FakeChatMessage[]]>([
    ['no messages', []],
    ['two system messages', [{ role: 'system', content: 's' }, { role: 'system', content: 's' }, user]],
    ['a late system message', [user, { role: 'system', content: 's' }]],
    ['a call without its result', [user, asks('a')]],
    ['a message between call and result', [user, asks('a'), user, answers('a')]],
    ['a result without its call', [user, answers('a')]],
    ['a result given twice', [user, asks('a'), answers('a'), answers('a')]],
    ['two calls with one id', [user, asks('a', 'a'), answers('a')]],
    ['an empty list of calls', [user, { role: 'assistant', content: 'x', tool_calls: [] }]],
    ['an assistant that says nothing', [user, { role: 'assistant', content: null }]],
    ['an unknown role', [{ role: 'robot', content: 'x' }]],
  ])('refuses %s', (_name, messages) => {
    expect(offenceOf({ model: 'm', messages })).toBeTypeOf('string');
  });
});
