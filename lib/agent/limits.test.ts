/** Limits end a run at the next boundary, as paused (domain.md §3, §11). */
import { describe, expect, test } from 'vitest';
import type { Limits } from '@/lib/domain/run/settings';
import { NO_LIMITS } from '@/lib/domain/run/settings';
import { callTo, calling, fakeModel, respondedWith, saying } from '@/lib/testing/fake-model';
import { completed } from '@/lib/testing/fake-tools';
import { played, sceneOf, type Scene, type SceneOptions } from '@/lib/testing/agent-scene';
import { usage } from '@/lib/testing/play-run';

const limited = (limits: Partial<Limits>): Pick<SceneOptions, 'settings'> => ({ settings: { limits: { ...NO_LIMITS, ...limits } } });
const endless = Array.from({ length: 20 }, () => calling(callTo('look')));
const tools = { look: {} };
const ending = ({ recorder }: Scene): unknown => recorder.state.terminal;

describe('a limit', () => {
  test('of rounds: the last round still runs its calls, and no further request is made', async () => {
    const scene = await played({ answers: endless, tools, ...limited({ rounds: 3 }) });
    expect(ending(scene)).toMatchObject({ status: 'paused', reason: 'limit', message: expect.stringContaining('3 rounds') as string });
    expect(scene.model.requests).toHaveLength(3);
    expect(scene.tools.ledger).toHaveLength(3);
  });

  test('of rounds: an answer in the last one is still a delivery', async () => {
    const scene = await played({ answers: [calling(callTo('look')), saying('Done.')], tools, ...limited({ rounds: 2 }) });
    expect(ending(scene)).toEqual({ status: 'succeeded' });
  });

  test('of calls: not one more is run, and the others are withdrawn', async () => {
    const scene = await played({ answers: [calling(...Array.from({ length: 5 }, () => callTo('look')))], tools, ...limited({ tool_calls: 3 }) });
    expect(scene.tools.ledger).toHaveLength(3);
    expect(ending(scene)).toMatchObject({ status: 'paused', reason: 'limit' });
    expect(scene.recorder.state.tally).toMatchObject({ completed: 3, withdrawn: 2 });
  });

  test('of wall time: by the clock, work before this claim included', async () => {
    const slow = (workedBeforeSeconds: number): Scene => {
      const scene: Scene = sceneOf({
        answers: endless,
        tools: { look: { execute: () => ((scene.clock.now += 10_000), completed('x')) } },
        workedBeforeSeconds,
        ...limited({ wall_seconds: 60 }),
      });
      return scene;
    };
    const fresh = slow(0);
    await fresh.drive();
    expect(ending(fresh)).toMatchObject({ status: 'paused', reason: 'limit' });
    expect(fresh.tools.ledger).toHaveLength(6);
    const later = slow(40);
    await later.drive();
    expect(later.tools.ledger).toHaveLength(2);
  });

  test('of tokens: what is left bounds the answer that is asked for, and the overrun is recorded as it is', async () => {
    const scene = await played({
      answers: [respondedWith({ calls: [callTo('look')], usage: usage(600, 100) }), respondedWith({ calls: [callTo('look')], usage: usage(400, 100) })],
      tools,
      ...limited({ tokens: 1_000 }),
      carried: { tokens: 100 },
    });
    expect(scene.model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([900, 200]);
    expect(scene.recorder.payloads('budget.exhausted')).toEqual([{ limit: 'tokens', allowed: 1_000, used: 1_300, over_by: 300 }]);
    expect(ending(scene)).toMatchObject({ status: 'paused', reason: 'budget_exhausted' });
  });

  test('of cost: counted by the price of the model', async () => {
    const model = fakeModel(endless, { price: { input: 1, cachedInput: 0, output: 1 } });
    const { recorder } = await played({ model, tools, ...limited({ cost_micro_usd: 25 }) });
    expect(model.requests).toHaveLength(3);
    expect(recorder.payloads('usage.recorded').map(({ cost_micro_usd }) => cost_micro_usd)).toEqual([12, 12, 12]);
    expect(recorder.state.terminal).toMatchObject({ status: 'paused', reason: 'budget_exhausted' });
  });

  test('that is not set bounds nothing (control)', async () => {
    const scene = await played({ answers: [...endless, saying('Done.')], tools });
    expect(scene.model.requests).toHaveLength(21);
    expect(scene.model.requests.every((request) => !('maxOutputTokens' in request))).toBe(true);
    expect(ending(scene)).toEqual({ status: 'succeeded' });
  });
});
