/** Every call ends in exactly one outcome, and every outcome is one tool message (I4, domain.md §4). */
import { describe, expect, test } from 'vitest';
import { callTo, calling, saying } from '@/lib/testing/fake-model';
import { completed, fakeTools, type FakeTool } from '@/lib/testing/fake-tools';
import { played, sceneOf, SECRET, type Scene } from '@/lib/testing/agent-scene';

const effects = { effect: 'external' } as const;

const toolMessages = ({ recorder }: Scene): string[] =>
  recorder.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));

/** One call to a tool, then a farewell that stands on the second saying. */
const oneCall = (args: unknown, tool: FakeTool, name = 'tool'): Promise<Scene> =>
  played({ answers: [calling(callTo(name, args)), saying('Bye.'), saying('Bye.')], tools: { tool } });

describe.each([
  ['invalid JSON', '{"path": ', {}, 'tool', 'invalid_arguments'],
  ['an array', '[1]', {}, 'tool', 'invalid_arguments'],
  ['a number', '7', {}, 'tool', 'invalid_arguments'],
  ['an unknown tool', '{}', {}, 'other', 'unknown_tool'],
  ['a refusal of prepare', '{}', { refuses: { code: 'outside', message: 'outside the workspace' } }, 'tool', 'outside'],
  ['a prepare that throws', '{}', { refuses: new Error('defect') }, 'tool', 'tool_error'],
] as const)('a call with %s', (_what, args, tool, name, code) => {
  test.each(['none', 'external'] as const)('ends as failed, without effect and without a beginning (effect %s)', async (effect) => {
    const scene = await oneCall(args, { ...tool, effect }, name);
    expect(scene.tools.ledger).toEqual([]);
    expect(scene.recorder.payloads('tool.started')).toEqual([]);
    expect(scene.recorder.payloads('tool.failed')).toMatchObject([{ code }]);
    expect(toolMessages(scene)).toHaveLength(1);
    expect(scene.run.originals.size).toBe(0);
  });
});

test('the message about an unknown tool names the tools there are', async () => {
  const scene = await oneCall({}, {}, 'other');
  expect(toolMessages(scene)[0]).toContain('tool');
});

test.each(['', '  ', 'null', '{}'])('arguments %j mean none', async (args) => {
  const { tools } = await oneCall(args, {});
  expect(tools.ledger).toEqual([{ name: 'tool', args: {} }]);
});

describe('a tool that throws', () => {
  const broken = { execute: () => Promise.reject(new Error('a defect')) };

  test('without effect has failed', async () => {
    const { recorder } = await oneCall({}, broken);
    expect(recorder.payloads('tool.failed')).toMatchObject([{ code: 'tool_error', message: 'a defect' }]);
  });

  test('with an effect has an unknown outcome: what it did cannot be known', async () => {
    const { recorder } = await oneCall({}, { ...broken, ...effects });
    expect(recorder.payloads('tool.failed')).toEqual([]);
    expect(recorder.payloads('tool.unknown')).toHaveLength(1);
    expect(recorder.state.terminal).toMatchObject({ status: 'failed', class: 'unresolved' });
  });
});

test('every outcome is exactly one tool message, in the order of the calls', async () => {
  const scene = await played({
    answers: [
      calling(callTo('good'), callTo('bad'), callTo('doubtful'), callTo('denied'), callTo('missing'), callTo('good', '{')),
      saying('Bye.'),
      saying('Bye.'),
    ],
    tools: {
      good: {},
      bad: { execute: () => ({ kind: 'failed', code: 'not_found', message: 'no such file' }) },
      doubtful: { ...effects, execute: () => ({ kind: 'unknown', reason: 'killed' }) },
      denied: { refuses: { code: 'read_only', message: 'read-only' }, ...effects },
    },
  });
  const [assistant] = scene.recorder.messages.filter((message) => message.role === 'assistant');
  const asked = assistant?.role === 'assistant' ? assistant.calls.map(({ providerCallId }) => providerCallId) : [];
  const answered = scene.recorder.messages.flatMap((message) => (message.role === 'tool' ? [message.providerCallId] : []));
  expect(asked).toHaveLength(6);
  expect(answered).toEqual(asked);
  expect(scene.recorder.state.tally).toEqual({ completed: 1, failed: 4, denied: 0, unknown: 1, withdrawn: 0 });
});

test('a call without an approval that nobody could give fails, and the tool is never reached', async () => {
  const scene = await played({
    answers: [calling(callTo('run_command', { command: 'true' })), saying('Bye.'), saying('Bye.')],
    toolPort: fakeTools({ run_command: effects }, { sandbox: 'none' }),
  });
  expect(scene.recorder.payloads('tool.failed')).toMatchObject([{ code: 'permission_denied', actor: 'system' }]);
  expect(scene.recorder.payloads('tool.started')).toEqual([]);
});

describe('a secret', () => {
  const args = { text: `password is ${SECRET}` };
  const told = (): Promise<Scene> =>
    oneCall(args, {
      ...effects,
      execute: (given, context) => {
        context.onOutput('stdout', SECRET.slice(0, 9));
        context.onOutput('stdout', `${SECRET.slice(9)} was said`);
        return completed(JSON.stringify(given));
      },
    });

  test('reaches the tool as it was given', async () => {
    expect((await told()).tools.ledger).toEqual([{ name: 'tool', args }]);
  });

  test('is in nothing that is stored, shown to the model again, or streamed', async () => {
    const scene = await told();
    const { recorder, model, published } = scene;
    const everything = JSON.stringify([recorder.events, recorder.messages, model.serialised, published]);
    expect(everything).not.toContain(SECRET);
    expect(everything).not.toContain(SECRET.slice(9));
    // Controls: the rest of the same texts is there.
    expect(everything).toContain('password is');
    expect(JSON.stringify(published)).toContain('was said');
    expect(model.serialised[1]?.join()).toContain('password is');
  });

  test('is held back from deltas that cut it in two', async () => {
    const { published } = await played({
      answers: [
        (request) => {
          for (const text of ['it is ', SECRET.slice(0, 11), SECRET.slice(11), ', keep it']) request.onDelta({ kind: 'text', text });
          return saying(`it is ${SECRET}, keep it`);
        },
      ],
    });
    const streamed = published.map(({ payload }) => payload.text).join('');
    expect(streamed).toMatch(/^it is .*, keep it$/);
    expect(streamed).not.toContain(SECRET.slice(0, 11));
  });
});

test('arguments that are not JSON are shown redacted, and sent back as an empty object', async () => {
  const { recorder } = await oneCall(`{"token": "${SECRET}`, {});
  expect(JSON.stringify(recorder.events)).not.toContain(SECRET);
  expect(recorder.payloads('model.responded')[0]?.tool_calls[0]?.arguments).toBe('{}');
});

test('a call whose original arguments are gone fails and is not guessed', async () => {
  const scene = sceneOf({ answers: [calling(callTo('tool')), saying('Bye.')], tools: { tool: {} } });
  scene.recorder.after('tool.proposed', () => scene.run.originals.clear());
  await scene.drive();
  expect(scene.tools.ledger).toEqual([]);
  expect(scene.recorder.payloads('tool.failed')).toMatchObject([{ code: 'arguments_lost' }]);
});
