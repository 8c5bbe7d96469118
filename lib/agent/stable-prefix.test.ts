/** Prefix caching holds (domain.md §8): what was sent once is sent again, byte for byte, and only added to. */
import { expect, test } from 'vitest';
import { callTo, calling, failedWith, respondedWith, saying } from '@/lib/testing/fake-model';
import { played } from '@/lib/testing/agent-scene';

test('the messages of each request are the first messages of the next', async () => {
  const { model, recorder } = await played({
    answers: [
      calling(callTo('look'), callTo('look')),
      failedWith(),
      calling(callTo('write'), callTo('look', '{"cut": ')),
      respondedWith({ text: 'half', finishReason: 'length' }),
      saying('Done.'),
      saying('Done.'),
    ],
    tools: { look: {}, write: { effect: 'workspace', countsAsWrite: true, refuses: { code: 'read_only', message: 'no' } } },
  });
  expect(recorder.state.status).toBe('failed');
  expect(model.serialised.map(({ length }) => length)).toEqual([1, 4, 4, 7, 9, 11]);
  for (const [index, messages] of model.serialised.entries()) {
    const next = model.serialised[index + 1] ?? recorder.messages.map((message) => JSON.stringify(message));
    expect(next.slice(0, messages.length)).toEqual(messages);
  }
  expect(new Set(model.requests.map(({ systemPrompt, tools }) => JSON.stringify([systemPrompt, tools]))).size).toBe(1);
});
