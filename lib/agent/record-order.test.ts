/** What is committed when: intent before effect, outcome after it, nothing twice (I5, architecture.md §4). */
import { describe, expect, test } from 'vitest';
import { callTo, calling, saying, streamingUntilAborted } from '@/lib/testing/fake-model';
import { completed } from '@/lib/testing/fake-tools';
import { played, sceneOf } from '@/lib/testing/agent-scene';

const write = { effect: 'workspace', countsAsWrite: true } as const;

describe('a model request', () => {
  test('is on record before the dial', async () => {
    const { journal } = await played({ answers: [saying('Done.')] });
    expect(journal.indexOf('model.requested')).toBeGreaterThan(-1);
    expect(journal.indexOf('dial')).toBe(journal.indexOf('model.requested') + 1);
  });

  test('is settled in one record: response, usage and proposed calls', async () => {
    const { recorder } = await played({ answers: [calling(callTo('look'), callTo('look')), saying('Done.')], tools: { look: {} } });
    expect(recorder.commitTypes[1]).toEqual(['model.responded', 'usage.recorded', 'tool.proposed', 'tool.decided', 'tool.proposed', 'tool.decided']);
  });

  test('that was stopped between its intent and the dial is not made', async () => {
    const scene = sceneOf({ answers: [saying('Done.')] });
    scene.recorder.after('model.requested', scene.stop);
    await scene.drive();
    expect(scene.model.requests).toEqual([]);
    expect(scene.recorder.state.openRequest).not.toBeNull();
  });

  test('takes none of the arguments of calls that may not run into memory', async () => {
    const scene = await played({
      answers: [calling(callTo('write', { text: 'x' })), saying('It was refused.'), saying('It was refused.')],
      tools: { write },
      settings: { policy: 'read-only' },
    });
    expect(scene.recorder.payloads('tool.denied')).toHaveLength(1);
    expect(scene.run.originals.size).toBe(0);
    expect(scene.recorder.sealed.size).toBe(0);
  });
});

describe('a call with an effect', () => {
  test('has its intent on record before the effect and its outcome after it', async () => {
    const { journal } = await played({ answers: [calling(callTo('write')), saying('Done.')], tools: { write } });
    const order = ['remember start', 'tool.started', 'begin write', 'end write', 'tool.completed'];
    expect(journal.filter((entry) => order.includes(entry))).toEqual(order);
  });

  test('holds back the calls after it', async () => {
    const { journal, recorder } = await played({
      answers: [calling(callTo('write'), callTo('look'), callTo('write'), callTo('look')), saying('Done.')],
      tools: { write, look: {} },
    });
    const seen = journal.filter((entry) => /^(begin|end|tool\.(started|completed))/.test(entry));
    const effect = ['tool.started', 'begin write', 'end write', 'tool.completed'];
    const reading = ['begin look', 'end look', 'tool.started', 'tool.completed'];
    expect(seen).toEqual([...effect, ...reading, ...effect, ...reading]);
    expect(recorder.state.tally.completed).toBe(4);
  });

  test('does not begin when the record of its intent is refused', async () => {
    const scene = sceneOf({ answers: [calling(callTo('write'))], tools: { write } });
    scene.recorder.refuse('tool.started', '22P05');
    await expect(scene.drive()).rejects.toMatchObject({ name: 'RecordRefused', code: '22P05' });
    expect(scene.tools.ledger).toEqual([]);
  });

  test('does not begin when the lease was lost before its intent, and the loop stops', async () => {
    const scene = sceneOf({ answers: [calling(callTo('write'))], tools: { write } });
    scene.recorder.before('tool.started', () => scene.recorder.loseLease());
    await expect(scene.drive()).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(scene.tools.ledger).toEqual([]);
  });
});

describe('adjacent calls without effect', () => {
  test('overlap, share one record, and keep the order of their outcomes', async () => {
    let begin = (): void => undefined;
    const second = new Promise<void>((resolve) => (begin = resolve));
    const { recorder } = await played({
      answers: [calling(callTo('slow'), callTo('fast')), saying('Done.')],
      tools: {
        // The first can only end after the second has begun.
        slow: { execute: async () => (await second, completed('of slow')) },
        fast: { execute: () => (begin(), completed('of fast')) },
      },
    });
    expect(recorder.commitTypes[2]).toEqual(['tool.started', 'tool.completed', 'tool.started', 'tool.completed']);
    expect(recorder.payloads('tool.completed').map(({ output }) => output)).toEqual(['of slow', 'of fast']);
  });

  test('are not all held in memory at once', async () => {
    let open = 0;
    let most = 0;
    const look = {
      execute: async () => {
        most = Math.max(most, (open += 1));
        await Promise.resolve();
        open -= 1;
        return completed('ok');
      },
    };
    const { recorder } = await played({
      answers: [calling(...Array.from({ length: 100 }, () => callTo('look'))), saying('Done.')],
      tools: { look },
    });
    expect(recorder.state.tally.completed).toBe(100);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  });
});

describe('after a cancel', () => {
  test('nothing begins: not the effect whose intent it overtook', async () => {
    const scene = sceneOf({ answers: [calling(callTo('write'), callTo('write'))], tools: { write } });
    scene.recorder.before('tool.started', scene.cancel);
    await scene.drive();
    expect(scene.tools.ledger).toEqual([]);
    expect(scene.recorder.payloads('tool.started')).toEqual([]);
    expect(scene.recorder.state.status).toBe('cancelling');
  });

  test('an intent that came first ends as aborted, without its effect', async () => {
    const scene = sceneOf({ answers: [calling(callTo('write'), callTo('write'))], tools: { write } });
    scene.recorder.after('tool.started', scene.cancel);
    await scene.drive();
    expect(scene.tools.ledger).toEqual([]);
    expect(scene.recorder.payloads('tool.failed')).toMatchObject([{ code: 'aborted' }]);
  });

  test('what was in flight still has its true outcome recorded, and the call after it does not begin', async () => {
    const scene = sceneOf({
      answers: [calling(callTo('write'), callTo('write'))],
      tools: { write: { ...write, execute: () => (scene.cancel(), completed('written', { changedPaths: ['a.txt'] })) } },
    });
    await scene.drive();
    expect(scene.tools.ledger).toHaveLength(1);
    expect(scene.recorder.payloads('tool.completed')).toMatchObject([{ output: 'written' }]);
    expect(scene.recorder.state).toMatchObject({ status: 'cancelling', calls: [{ status: 'ready' }] });
  });

  test('no further request is made', async () => {
    const scene = sceneOf({ answers: [calling(callTo('look')), saying('Done.')], tools: { look: { execute: () => (scene.cancel(), completed('x')) } } });
    await scene.drive();
    expect(scene.model.requests).toHaveLength(1);
  });

  test('no delta reaches anyone, those held back included', async () => {
    const pieces = [
      { kind: 'text', text: 'first ' },
      { kind: 'reasoning', text: 'thinking' },
    ] as const;
    const scene = sceneOf({ answers: [streamingUntilAborted(pieces, () => scene.cancel())] });
    await scene.drive();
    expect(scene.published).toEqual([]);
    expect(scene.recorder.payloads('model.failed')).toMatchObject([{ class: 'aborted' }]);
    expect(scene.recorder.payloads('usage.recorded')).toMatchObject([{ state: 'unknown', input_tokens: null }]);
  });
});

test('a run without a cancel publishes what the model said (control of the above)', async () => {
  const { published } = await played({
    answers: [
      (request) => {
        request.onDelta({ kind: 'text', text: 'first ' });
        request.onDelta({ kind: 'reasoning', text: 'thinking' });
        return saying('first ');
      },
    ],
  });
  expect(published.map(({ payload }) => payload.text).sort()).toEqual(['first ', 'thinking']);
});

test('a step that records nothing ends the loop instead of being repeated for ever', async () => {
  const scene = sceneOf({ answers: [calling(callTo('look'))], tools: { look: {} } });
  const record = scene.recorder.record.bind(scene.recorder);
  scene.recorder.record = async (inputs, sealed) =>
    inputs.some(({ type }) => type === 'start_call') ? { ok: false, rejection: { code: 'not_open', id: 'call' } } : record(inputs, sealed);
  await expect(scene.drive()).rejects.toThrow('run_calls recorded nothing');
});
