import { describe, expect, test } from 'vitest';
import type { RunEvent, RunEventBody } from '@/lib/domain/run/event';
import { place, play, request, respond, running, says } from '@/lib/testing/play-run';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import type { Reporter } from '../output/reporter';
import { TurnFeed } from './turn-feed';

function recording() {
  const seen: string[] = [];
  const reporter: Reporter = {
    events: (runId, events) => seen.push(...events.map((event) => `${runId} ${event.seq} ${event.type}`)),
    ephemeral: (runId) => seen.push(`${runId} ephemeral`),
    ended: () => undefined,
  };
  return { seen, reporter };
}

const delta = { type: 'model.delta', payload: { request_id: 'req_1', kind: 'text', offset: 0, text: 'x' } } as const;
const event = (seq: number, body: RunEventBody): RunEvent => place(body, seq);
const cancelling = (seq: number): RunEvent => event(seq, { type: 'run.cancelling', payload: { by: 'local' } });

describe('the feed of a turn', () => {
  test('gives each event once, in order, from whichever source it came first', () => {
    const { seen, reporter } = recording();
    const feed = new TurnFeed('run_1', reporter);
    feed.take('run_1', [cancelling(1), cancelling(2)]);
    feed.take('run_1', [cancelling(1), cancelling(2), cancelling(4)]);
    feed.take('run_2', [cancelling(9)]);
    expect(seen).toEqual(['run_1 1 run.cancelling', 'run_1 2 run.cancelling', 'run_1 4 run.cancelling']);
    expect([feed.seq, feed.atRest]).toEqual([4, false]);
  });

  test('ends with session.completed: nothing that came later is part of it', () => {
    const ended = play(says(running(), '1', 'answer'), { type: 'record_delivery', verdict: 'accepted', objections: [] }, { type: 'end', reason: { kind: 'finished' }, others: NO_OTHERS });
    const { seen, reporter } = recording();
    const feed = new TurnFeed('run_1', reporter);
    feed.take('run_1', [...ended.events, cancelling(ended.events.length + 1)]);
    feed.take('run_1', [cancelling(ended.events.length + 2)]);
    feed.ephemeral('run_1', delta);
    expect(seen.at(-1)).toBe(`run_1 ${ended.events.length} session.completed`);
    expect([feed.atRest, feed.resumable]).toEqual([true, true]);
  });

  test('follows the turn into the run that goes on by itself', () => {
    const before = play(running(), request('1'), { type: 'expire_lease', others: NO_OTHERS, continuesAs: 'run_2' });
    const { seen, reporter } = recording();
    const feed = new TurnFeed('run_1', reporter);
    feed.take('run_1', before.events);
    expect([feed.runId, feed.seq, feed.atRest]).toEqual(['run_2', 0, false]);
    feed.ephemeral('run_1', delta);
    feed.ephemeral('run_2', delta);
    feed.take('run_2', play(running(), request('2'), respond('2', { text: 'x' })).events.slice(0, 1));
    expect(seen.slice(-2)).toEqual(['run_2 ephemeral', 'run_2 1 command.accepted']);
  });
});
