import { describe, expect, test } from 'vitest';
import type { RunEvent } from '@/lib/domain/run/event';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { fold } from '@/lib/domain/run/evolve';
import { CLAIM, firstOf, play, RUN, submit } from '@/lib/testing/play-run';
import { appendEvents, applyEvents, prependEvents, replaceWindow, type RunCache } from './run-cache';
import { signalsOf } from './signals';

const played = play(
  null,
  submit(firstOf({ verifier: 'node --test' })),
  CLAIM,
  { type: 'request_model', requestId: 'req_1', purpose: 'round', model: 'm' },
  { type: 'end', reason: { kind: 'paused', reason: 'limit', message: 'enough' }, others: NO_OTHERS },
);
const log: readonly RunEvent[] = played.events;

const cacheAt = (seq: number, from = 0): RunCache => {
  const events = log.filter((event) => event.seq <= seq && event.seq > from);
  const state = fold(RUN, log.filter((event) => event.seq <= seq));
  if (state === null) throw new Error('begin later');
  return { runId: RUN, state, completion: null, startedAt: null, endedAt: null, events, hasEarlier: from > 0, hasLater: false, failures: [], requests: [], told: [] };
};
const seqs = (cache: RunCache): number[] => cache.events.map((event) => event.seq);

describe('events of the feed', () => {
  test.each(log.slice(1, -1).map((event) => event.seq))('on top of a page rendered up to %i give the whole, each once', (seq) => {
    const once = applyEvents(cacheAt(seq), log);
    const twice = applyEvents(applyEvents(once, log), log.slice(2));
    expect(twice.state).toEqual(played.state);
    expect(seqs(twice)).toEqual(log.map((event) => event.seq));
    expect(twice.completion?.status ?? null).toBe('paused');
  });

  test('pass a window that lies further back', () => {
    const back = { ...cacheAt(4), events: log.slice(0, 2), hasLater: true };
    const next = applyEvents(back, log.slice(4));
    expect(seqs(next)).toEqual([1, 2]);
    expect(next.state.seq).toBe(log.length);
    expect(seqs(appendEvents(next, log.slice(1)))).toEqual(log.map((event) => event.seq));
    expect(appendEvents(next, log.slice(1)).hasLater).toBe(false);
    expect(appendEvents(next, log.slice(1, 3)).hasLater).toBe(true);
  });
});

test('earlier pages join without repetition, and another stretch replaces the window', () => {
  const cache = cacheAt(log.length, 4);
  expect(seqs(prependEvents(cache, log.slice(0, 5), false))).toEqual(log.map((event) => event.seq));
  const replaced = replaceWindow(cache, log.slice(0, 3), false);
  expect([seqs(replaced), replaced.hasLater, replaced.hasEarlier]).toEqual([[1, 2, 3], true, false]);
});

test('signals so far are those that the end records', () => {
  const before = cacheAt(log.length - 1);
  const { done, verification, usage } = signalsOf(before, NO_OTHERS);
  const end = applyEvents(before, log).completion;
  expect([done, verification, usage]).toEqual([end?.done, end?.verification, end?.usage]);
});
