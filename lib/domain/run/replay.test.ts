import { beforeAll, describe, expect, it } from 'vitest';
import { CORE, walk, type Core, type Walk } from '@/lib/testing/random-run';
import { EVENT_TYPES, type EventType, type RunEvent, type RunEventBody } from './event';
import type { RunState } from './state';
import { isTerminal, RUN_STATUSES, type RunStatus } from './status';

/** A failing walk is named by its seed: `walk(seed)` runs it again. */
const WALKS = 2_500;

describe('2,500 random runs', () => {
  let walks: readonly Walk[] = [];
  beforeAll(() => {
    walks = Array.from({ length: WALKS }, (_, seed) => walk(seed));
  }, 120_000);

  it('break no rule at any step: I1, I3, I4, I5, I10, I13, one end, true totals, legal conversations', () => {
    expect(walks.flatMap(({ broken }) => broken)).toEqual([]);
  });

  it('have been through every event and every status', () => {
    const seen = new Set<EventType>(walks.flatMap(({ events }) => events.map((event) => event.type)));
    expect(EVENT_TYPES.filter((type) => !seen.has(type))).toEqual([]);
    const ends = new Set<RunStatus>(walks.flatMap(({ state }) => (state === null ? [] : [state.status])));
    expect(RUN_STATUSES.filter((status) => isTerminal(status) && !ends.has(status))).toEqual([]);
  });

  it('mostly go somewhere: nine of ten end, and what may not happen was tried in each', () => {
    const ended = walks.filter(({ state }) => state !== null && isTerminal(state.status));
    expect(ended.length).toBeGreaterThan(WALKS * 0.9);
    expect(Math.min(...ended.map(({ rejected }) => rejected))).toBeGreaterThan(0);
    expect(walks.reduce((sum, { accepted }) => sum + accepted, 0)).toBeGreaterThan(WALKS * 8);
  });

  it('are the same again for the same seed', () => {
    expect(walk(17).events).toEqual(walk(17).events);
    expect(walk(17).events).not.toEqual(walk(18).events);
  });
});

/** Controls: a broken core is found out, so the walks above can fail. */
describe('the checker finds', () => {
  const dropping = (...types: readonly EventType[]): Core => ({
    ...CORE,
    decide: (state, input) => {
      const decision = CORE.decide(state, input);
      return decision.ok ? { ok: true, events: decision.events.filter((event) => !types.includes(event.type)) } : decision;
    },
  });
  const found = (core: Core): string => {
    const rules = Array.from({ length: 150 }, (_, seed) => walk(seed, core)).flatMap(({ broken }) => broken);
    return rules.join('\n');
  };

  it.each<[string, Core, RegExp]>([
    ['a run that ends without session.completed', dropping('session.completed'), /session\.completed is there 0 times/],
    ['a call without an outcome', dropping('tool.withdrawn'), /I4: call_\w+ has 0 outcomes/],
    ['a request without a usage entry', dropping('usage.recorded'), /I10: req_\w+ settled 1 times with 0 usage entries/],
    [
      'an effect without an intent',
      {
        ...CORE,
        decide: (state, input) =>
          CORE.decide(state === null || input.type !== 'end_call' ? state : { ...state, calls: state.calls.map((call) => ({ ...call, status: 'running' })) }, input),
      },
      /I5: tool\.\w+ without an intent/,
    ],
    ['a response that is not in the conversation', { ...CORE, messageOf: (state, event) => (event.type === 'model.responded' ? null : CORE.messageOf(state, event)) }, /a result without its call/],
    ['a result that is not in the conversation', { ...CORE, messageOf: (state, event) => (event.type === 'tool.failed' ? null : CORE.messageOf(state, event)) }, /before call_\w+ answered|never answered/],
    [
      'a terminal run that goes on',
      { ...CORE, decide: (state, input) => CORE.decide(state !== null && isTerminal(state.status) ? { ...state, status: 'running' } : state, input) },
      /I3: a terminal run accepts/,
    ],
    [
      'usage that is counted twice',
      {
        ...CORE,
        decide: (state, input) => {
          const decision = CORE.decide(state, input);
          const twice = (event: RunEventBody): RunEventBody[] => (event.type === 'usage.recorded' ? [event, event] : [event]);
          return decision.ok ? { ok: true, events: decision.events.flatMap(twice) } : decision;
        },
      },
      /with 2 usage entries/,
    ],
    [
      'a fold that forgets',
      { ...CORE, evolve: (state, runId, event) => forget(CORE.evolve(state, runId, event), event) },
      /I13: folding the log gives another state|session\.completed says something else of tool_calls/,
    ],
    [
      'a count that is none',
      {
        ...CORE,
        decide: (state, input) =>
          CORE.decide(
            state,
            input.type === 'model_failed' && input.usage.state === 'unknown'
              ? { ...input, usage: { state: 'known', inputTokens: Number.NaN, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 } }
              : input,
          ),
      },
      /I10: unknown usage has counts, or known usage has none/,
    ],
  ])('%s', (_name, core, rule) => {
    expect(found(core)).toMatch(rule);
  });

  function forget(state: RunState | null, event: Pick<RunEvent, 'type'>): RunState | null {
    return state !== null && event.type === 'tool.failed' ? { ...state, tally: { ...state.tally, failed: 0 } } : state;
  }
});
