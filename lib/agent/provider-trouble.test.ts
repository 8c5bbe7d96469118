/** The provider's last mile (domain.md §10): recovery, retries, cut answers. */
import { describe, expect, test } from 'vitest';
import { RECOVERY_INTENT } from '@/lib/steering/recovery-intent';
import { LONGEST_RETRY_AFTER_MS } from '@/lib/domain/retry';
import { callTo, calling, failedWith, respondedWith, saying } from '@/lib/testing/fake-model';
import { played, type Scene } from '@/lib/testing/agent-scene';
import { usage } from '@/lib/testing/play-run';

const empty = respondedWith({ reasoning: 'I thought a lot.', usage: usage(17, 4) });

describe('an answer without anything visible', () => {
  const recovered = (): Promise<Scene> =>
    played({
      answers: [
        empty,
        (request) => {
          request.onDelta({ kind: 'reasoning', text: 'secretly thought' });
          request.onDelta({ kind: 'text', text: 'Here it is.' });
          return saying('Here it is.', { reasoning: 'secretly thought', usage: usage(20, 5) });
        },
      ],
    });

  test('is asked for once more with a new intent, which lives in the copy of that request only', async () => {
    const { model, recorder } = await recovered();
    expect(model.requests.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', origin: 'goal', text: 'do it' }],
      [{ role: 'user', origin: 'goal', text: `do it\n\n${RECOVERY_INTENT}` }],
    ]);
    expect(recorder.payloads('model.requested').map(({ purpose }) => purpose)).toEqual(['round', 'recovery']);
    expect(JSON.stringify([recorder.messages, recorder.events])).not.toContain(RECOVERY_INTENT);
    expect(recorder.messages[0]).toEqual({ role: 'user', origin: 'goal', text: 'do it' });
  });

  test('the intent is a message of its own after tool results, and stored calls and results stay paired', async () => {
    const { model, recorder } = await played({ answers: [calling(callTo('look')), empty, saying('Done.')], tools: { look: {} } });
    const [, before, recovery] = model.serialised;
    expect(recovery?.slice(0, -1)).toEqual(before);
    expect(recovery?.at(-1)).toContain(RECOVERY_INTENT);
    expect(recorder.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test("the recovery's reasoning is neither published nor stored", async () => {
    const { recorder, published } = await recovered();
    expect(JSON.stringify([recorder.events, recorder.messages, published])).not.toContain('secretly');
    // Control: its text is, and a round's reasoning is.
    expect(published).toMatchObject([{ payload: { kind: 'text', text: 'Here it is.' } }]);
    const round = await played({ answers: [saying('Done.', { reasoning: 'openly thought' })] });
    expect(JSON.stringify(round.recorder.events)).toContain('openly thought');
  });

  test('and again without: pauses, and the usage of both is kept', async () => {
    const { recorder, model } = await played({ answers: [empty, respondedWith({ text: ' \n', usage: usage(18, 1) })] });
    expect(recorder.state.terminal).toMatchObject({ status: 'paused', reason: 'empty_response' });
    expect(recorder.state.usage).toMatchObject({ inputTokens: 35, outputTokens: 5, unknownRequests: 0 });
    expect(recorder.payloads('model.failed').map(({ code }) => code)).toEqual(['reasoning_only', 'empty']);
    expect(model.requests).toHaveLength(2);
  });

  test('a failed recovery is retried as a recovery', async () => {
    const { recorder } = await played({ answers: [empty, failedWith(), saying('Here.')] });
    expect(recorder.payloads('model.requested').map(({ purpose }) => purpose)).toEqual(['round', 'recovery', 'recovery']);
    expect(recorder.state.status).toBe('succeeded');
  });
});

describe('a failure that may pass', () => {
  test('is tried again, each attempt counted and in the ledger', async () => {
    const { recorder, clock } = await played({ answers: [failedWith(), failedWith(), saying('Done.')] });
    expect(recorder.payloads('model.requested').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(recorder.payloads('usage.recorded')).toHaveLength(3);
    expect(recorder.state).toMatchObject({ status: 'succeeded', usage: { unknownRequests: 2 } });
    expect(clock.slept).toEqual([375, 750]);
  });

  test('waits as long as the provider asks', async () => {
    const { clock } = await played({ answers: [failedWith({ class: 'rate', retryAfterMs: 7_000 }), saying('Done.')] });
    expect(clock.slept).toEqual([7_000]);
  });

  test('that asks for more than two minutes pauses the run at once', async () => {
    const at = await played({ answers: [failedWith({ retryAfterMs: LONGEST_RETRY_AFTER_MS }), saying('Done.')] });
    expect(at.recorder.state.status).toBe('succeeded');
    const { recorder, model, clock } = await played({ answers: [failedWith({ retryAfterMs: LONGEST_RETRY_AFTER_MS + 1 })] });
    expect(recorder.state.terminal).toMatchObject({ status: 'paused', reason: 'provider_unavailable' });
    expect(model.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('pauses after as many retries as are allowed', async () => {
    const { recorder, model } = await played({ answers: [failedWith(), failedWith(), failedWith()], modelRetries: 2 });
    expect(model.requests).toHaveLength(3);
    expect(recorder.state.terminal).toMatchObject({ status: 'paused', reason: 'provider_unavailable' });
  });

  test('starts counting anew after a response', async () => {
    const { recorder } = await played({
      answers: [failedWith(), calling(callTo('look')), failedWith(), saying('Done.')],
      tools: { look: {} },
      modelRetries: 1,
    });
    expect(recorder.state.status).toBe('succeeded');
  });
});

test('a failure for good ends the run after one request', async () => {
  const { recorder, model } = await played({ answers: [failedWith({ class: 'auth', code: '401', message: 'no key', retryable: false })] });
  expect(recorder.state.terminal).toMatchObject({ status: 'failed', class: 'provider', code: 'auth' });
  expect(model.requests).toHaveLength(1);
});

describe('an answer that was cut at its length', () => {
  const cut = respondedWith({ text: 'The first half', finishReason: 'length', calls: [callTo('write')] });

  test('runs no call and is no delivery; one report asks to go on', async () => {
    const { recorder, tools } = await played({ answers: [cut, saying('and the second.')], tools: { write: { effect: 'workspace' } } });
    expect(tools.ledger).toEqual([]);
    expect(recorder.messages.map((message) => (message.role === 'user' ? message.origin : message.role))).toEqual(['goal', 'assistant', 'report', 'assistant']);
    expect(recorder.state.delivery).toMatchObject({ verdict: 'accepted', text: 'and the second.' });
  });

  test('twice in a row pauses the run, both texts kept', async () => {
    const { recorder } = await played({ answers: [cut, cut] });
    expect(recorder.state.terminal).toMatchObject({ status: 'paused', reason: 'truncated' });
    expect(recorder.payloads('model.responded').map(({ text }) => text)).toEqual(['The first half', 'The first half']);
  });
});

test("a secret in the provider's complaint is not stored", async () => {
  const { recorder } = await played({
    answers: [failedWith({ message: 'key correct-horse-battery-staple is not valid', code: 'correct-horse-battery-staple', retryable: false })],
  });
  expect(JSON.stringify(recorder.events)).not.toContain('correct-horse');
  expect(JSON.stringify(recorder.events)).toContain('is not valid');
});
