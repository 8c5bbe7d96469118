// Longer than other files: one browser of several tabs is set up once, and every rule of the feed is told in it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '@/lib/domain/id';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { RunSummary } from './frame';
import { createRunFeed, type FeedState, type ProjectChange, type RunFeed } from './run-feed';
import { FakeBrowser, FakeServer } from './testing/fake-browser';

const ONE: RunId = 'run_01HZZZZZZZZZZZZZZZZZZZZZZA';
const TWO: RunId = 'run_01HZZZZZZZZZZZZZZZZZZZZZZB';

let server: FakeServer;
let browser: FakeBrowser;
let feeds: RunFeed[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  browser = new FakeBrowser(server);
});
afterEach(async () => {
  for (const feed of feeds) feed.close();
  feeds = [];
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
});

const pass = (ms = 100) => vi.advanceTimersByTimeAsync(ms);
const upTo = (seq: number, from = 0) => Array.from({ length: seq - from }, (_, index) => from + index + 1);

/** A page that watches a run, and what it was told. */
function openPage(of: FakeBrowser = browser, how: Parameters<FakeBrowser['openTab']>[0] = {}) {
  const { tab, environment } = of.openTab(how);
  const feed = createRunFeed(environment);
  feeds.push(feed);
  const watch = (runId: RunId, after = 0) => {
    const seen = { seqs: [] as number[], pieces: [] as EphemeralEvent[], states: [] as FeedState[], calls: 0 };
    const end = feed.subscribeRun(runId, after, {
      onEvents: (events) => {
        seen.calls += 1;
        seen.seqs.push(...events.map(({ seq }) => seq));
      },
      onEphemeral: (pieces) => seen.pieces.push(...pieces),
      onState: (state) => seen.states.push(state),
    });
    return Object.assign(seen, { end });
  };
  return { tab, feed, watch };
}

describe('a run', () => {
  test('is followed from the cursor on, each event once, a frame at a time', async () => {
    server.append(ONE, 5);
    const seen = openPage().watch(ONE, 2);
    await pass();
    expect(seen.seqs).toEqual([3, 4, 5]);
    expect(seen.states).toEqual(['connecting', 'live']);
    const { calls } = seen;
    server.append(ONE);
    server.append(ONE);
    server.append(ONE);
    await pass(20);
    expect(seen.seqs).toEqual([3, 4, 5, 6, 7, 8]);
    expect(seen.calls).toBe(calls + 1);
  });

  test.each([
    ['a connection that breaks', async () => server.sources.forEach((source) => source.fail('broken'))],
    [
      'a server that restarts',
      async () => {
        server.goDown();
        await pass(3_000);
        server.state = 'up';
      },
    ],
    ['an answer that is no stream', async () => server.sources.forEach((source) => source.fail('refused'))],
    [
      'a laptop that slept',
      async () => {
        // The sockets are gone, and nobody was told.
        for (const source of [...server.sources]) server.sources.delete(source);
        vi.setSystemTime(Date.now() + 3_600_000);
        browser.tell('tab-1', 'shown');
      },
    ],
  ])('goes on exactly after %s', async (_name, disturb) => {
    const seen = openPage().watch(ONE);
    server.append(ONE, 3);
    await pass();
    await disturb();
    server.append(ONE, 3);
    await pass(5_000);
    server.append(ONE, 3);
    await pass();
    expect(seen.seqs).toEqual(upTo(9));
    expect(seen.states.at(-1)).toBe('live');
    expect(server.sources.size).toBe(1);
    expect(server.opened.length).toBeGreaterThan(1);
  });

  test('of a silent connection is asked for anew without anybody looking', async () => {
    const seen = openPage().watch(ONE);
    await pass();
    server.sources.clear();
    server.append(ONE, 2);
    await pass(60_000);
    expect(seen.seqs).toEqual([1, 2]);
  });

  test('with heartbeats is left alone', async () => {
    openPage().watch(ONE);
    await pass();
    for (let beats = 0; beats < 20; beats += 1) {
      for (const source of server.sources) source.say('stream.heartbeat');
      await pass(15_000);
    }
    expect(server.opened).toHaveLength(1);
  });

  test('that ends is ended, and leaves no connection', async () => {
    const page = openPage();
    const seen = page.watch(ONE);
    await pass();
    server.end(ONE);
    await pass();
    expect(seen.states.at(-1)).toBe('ended');
    expect(server.sources.size).toBe(0);
    const late = page.watch(ONE);
    await pass();
    expect([late.seqs, late.states.at(-1)]).toEqual([[1], 'ended']);
  });

  test('that gets a later fact after its end shows it', async () => {
    const page = openPage();
    const seen = page.watch(ONE);
    page.feed.subscribeProject(() => undefined);
    await pass();
    server.end(ONE);
    await pass();
    server.append(ONE);
    for (const source of server.sources) source.say('runs.changed', { runs: [{ id: ONE, last_seq: 2 } as RunSummary] });
    await pass(500);
    expect([seen.seqs, seen.states.at(-1)]).toEqual([[1, 2], 'ended']);
  });

  test('that is added, or left, changes the stream without a gap for the others', async () => {
    const page = openPage();
    const one = page.watch(ONE);
    await pass();
    const two = page.watch(TWO);
    await pass(33);
    expect(server.sources.size).toBe(2); // the old one until the new one is open
    server.append(ONE, 2);
    await pass();
    server.append(TWO, 2);
    await pass();
    expect([one.seqs, two.seqs, server.sources.size]).toEqual([[1, 2], [1, 2], 1]);
    expect(one.states).toEqual(['connecting', 'live']);
    one.end();
    await pass();
    expect([...server.sources].map(({ runs }) => [...runs.keys()])).toEqual([[TWO]]);
  });

  test('tries ever later, with at most 15 s between', async () => {
    openPage().watch(ONE);
    await pass();
    server.goDown();
    await pass(120_000);
    const tries = server.opened.length;
    expect(tries).toBeGreaterThan(8);
    expect(tries).toBeLessThan(22);
  });

  test('says that the browser is offline, and goes on at once when it is not', async () => {
    const seen = openPage().watch(ONE);
    await pass();
    browser.online = false;
    server.goDown();
    await pass(30_000);
    expect(seen.states.at(-1)).toBe('offline');
    browser.online = true;
    server.state = 'up';
    server.append(ONE);
    browser.tell('tab-1', 'online');
    await pass();
    expect([seen.states.at(-1), seen.seqs]).toEqual(['live', [1]]);
  });

  test('of a session that is over waits for a sign-in and does not hammer', async () => {
    const page = openPage();
    const seen = page.watch(ONE);
    await pass();
    server.signedIn = false;
    for (const source of server.sources) source.say('stream.revoked');
    await pass(300_000);
    expect(seen.states.at(-1)).toBe('signed_out');
    expect(server.opened).toHaveLength(1);
    server.signedIn = true;
    page.feed.retry();
    server.append(ONE);
    await pass();
    expect([seen.states.at(-1), seen.seqs]).toEqual(['live', [1]]);
  });

  test('with an event of a type that this page does not know goes on', async () => {
    const seen = openPage().watch(ONE);
    await pass();
    for (const source of server.sources) source.say('message', { version: '1', run_id: ONE, seq: 1, timestamp: '', type: 'run.invented', payload: {} });
    server.append(ONE, 2);
    await pass();
    expect(seen.seqs).toEqual([2]);
  });
});

describe('pieces', () => {
  const piece = (offset: number, text: string): EphemeralEvent => ({
    type: 'model.delta',
    payload: { request_id: 'req_1', kind: 'text', offset, text },
  });
  const said = (type: string, payload: unknown, seq: number) => {
    for (const source of server.sources) source.say('message', { version: '1', run_id: ONE, seq, timestamp: '', type, payload });
  };

  test('that come twice or overlap are shown once, a gap is told by the offset', async () => {
    const seen = openPage().watch(ONE);
    await pass();
    for (const one of [piece(0, 'Once '), piece(0, 'Once '), piece(3, 'e upon'), piece(20, 'time')]) server.publish(ONE, one);
    await pass();
    expect(seen.pieces.map(({ payload }) => [payload.offset, payload.text])).toEqual([
      [0, 'Once '],
      [5, 'upon'],
      [20, 'time'],
    ]);
  });

  test('of a settled request, and after run.cancelling, are not shown', async () => {
    const seen = openPage().watch(ONE);
    await pass();
    server.publish(ONE, piece(0, 'in the same frame as its end'));
    said('model.responded', { request_id: 'req_1', tool_calls: [], finish_reason: 'stop' }, 1);
    server.publish(ONE, piece(30, 'late'));
    await pass();
    said('run.cancelling', { by: 'local' }, 2);
    server.publish(ONE, { ...piece(0, 'another'), payload: { ...piece(0, 'another').payload, request_id: 'req_2' } } as EphemeralEvent);
    await pass();
    expect(seen.pieces).toEqual([]);
    expect(seen.seqs).toEqual([1, 2]);
  });
});

describe('the project', () => {
  test('is stale at first, for every subscriber; then what changed is said, the latest of each run', async () => {
    const page = openPage();
    const changes: ProjectChange[][] = [[], []];
    page.feed.subscribeProject((change) => changes[0]?.push(change));
    await pass();
    page.feed.subscribeProject((change) => changes[1]?.push(change));
    await pass();
    expect(changes).toEqual([[{ kind: 'stale' }], [{ kind: 'stale' }]]);
    const run = (status: string) => ({ id: ONE, status, last_seq: 1 }) as RunSummary;
    for (const source of server.sources) {
      source.say('runs.changed', { runs: [run('queued')] });
      source.say('runs.changed', { runs: [run('running')] });
    }
    await pass();
    expect(changes[0]?.slice(1)).toEqual([{ kind: 'runs', runs: [run('running')] }]);
  });

  test('is not stale because another run is watched now, but is after a break', async () => {
    const page = openPage();
    const changes: ProjectChange[] = [];
    page.feed.subscribeProject((change) => changes.push(change));
    await pass();
    page.watch(ONE);
    await pass(500);
    expect(changes).toEqual([{ kind: 'stale' }]);
    server.sources.forEach((source) => source.fail('broken'));
    await pass(2_000);
    expect(changes).toEqual([{ kind: 'stale' }, { kind: 'stale' }]);
  });
});

describe('many tabs', () => {
  test('have one connection, and each its own cursors', async () => {
    server.append(ONE, 10);
    const pages = upTo(10).map(() => openPage());
    const seen = pages.map((page, index) => page.watch(index < 5 ? ONE : TWO, index < 5 ? index : 0));
    await pass(500);
    server.append(TWO, 3);
    server.append(ONE, 1);
    await pass(500);
    expect(server.sources.size).toBe(1);
    expect(seen.map(({ seqs }) => seqs)).toEqual([...[0, 1, 2, 3, 4].map((from) => upTo(11, from)), ...[5, 6, 7, 8, 9].map(() => upTo(3))]);
    expect(seen.every(({ states }) => states.at(-1) === 'live')).toBe(true);
  });

  test('get what was said before they came, though the leader has passed it', async () => {
    const first = openPage().watch(ONE);
    server.append(ONE, 6);
    await pass();
    const late = openPage().watch(ONE, 2);
    await pass(300);
    expect([first.seqs, late.seqs]).toEqual([upTo(6), upTo(6, 2)]);
  });

  test('are not taken for gone while their own locks are on their way', async () => {
    const leader = openPage().watch(ONE);
    await pass(200);
    const late = upTo(9).map(() => openPage(browser, { lateBy: 40 }).watch(ONE));
    await pass(500);
    server.append(ONE, 5);
    await pass(500);
    expect([leader, ...late].map(({ seqs }) => seqs)).toEqual(upTo(10).map(() => upTo(5)));
  });

  test('get it in order too while the log grows under their feet', async () => {
    openPage().watch(ONE);
    await pass(200);
    const late: { seqs: number[] }[] = [];
    for (let count = 0; count < 8; count += 1) {
      server.append(ONE);
      late.push(openPage().watch(ONE));
      for (let ms = 0; ms < 60; ms += 3) {
        server.append(ONE);
        await pass(3);
      }
    }
    await pass(3_000);
    expect(late.map(({ seqs }) => seqs)).toEqual(late.map(() => upTo(server.last(ONE))));
  });

  test.each([
    ['closes', (page: ReturnType<typeof openPage>) => page.feed.close()],
    ['crashes', (page: ReturnType<typeof openPage>) => browser.kill(page.tab)],
  ])('lose and repeat nothing when the leader %s', async (_name, leave) => {
    const leader = openPage();
    leader.watch(ONE);
    await pass(200);
    const others = [openPage(), openPage()];
    const seen = [others[0]?.watch(ONE), others[1]?.watch(TWO)];
    await pass(200);
    server.append(ONE, 3);
    server.append(TWO, 3);
    await pass(10);
    for (const source of [...server.sources]) if (_name === 'crashes') source.close();
    leave(leader);
    server.append(ONE, 3);
    server.append(TWO, 3);
    await pass(1_000);
    server.append(ONE, 1);
    await pass();
    expect(seen.map((page) => page?.seqs)).toEqual([upTo(7), upTo(6)]);
    expect(server.sources.size).toBe(1);
    expect([...server.sources].flatMap(({ runs }) => [...runs.keys()]).sort()).toEqual([ONE, TWO]);
  });

  test('take the lead from a leader that is frozen, and take it in again when it thaws', async () => {
    const leader = openPage();
    const first = leader.watch(ONE);
    await pass(200);
    const other = openPage();
    const seen = other.watch(ONE);
    await pass(200);
    browser.freeze(leader.tab);
    browser.tell(leader.tab, 'hidden');
    for (const source of [...server.sources]) server.sources.delete(source);
    server.append(ONE, 4);
    await pass(20_000);
    expect([seen.seqs, seen.states.at(-1)]).toEqual([upTo(4), 'live']);
    browser.thaw(leader.tab);
    browser.tell(leader.tab, 'shown');
    server.append(ONE, 2);
    await pass(5_000);
    expect([first.seqs, seen.seqs]).toEqual([upTo(6), upTo(6)]);
    expect(server.sources.size).toBe(1);
  });

  test('tell the leader what they no longer want', async () => {
    openPage().watch(ONE);
    const other = openPage();
    const two = other.watch(TWO);
    await pass(300);
    two.end();
    await pass(300);
    expect([...server.sources].flatMap(({ runs }) => [...runs.keys()])).toEqual([ONE]);
  });

  test('that cannot find each other connect each for itself, and not while hidden', async () => {
    const apart = new FakeBrowser(server, { sharesTabs: false });
    const pages = [openPage(apart), openPage(apart)];
    const seen = pages.map((page) => page.watch(ONE));
    await pass();
    expect(server.sources.size).toBe(2);
    const [first] = pages;
    if (first === undefined) throw new Error('no page');
    apart.tell(first.tab, 'hidden');
    await pass(10_000);
    expect(server.sources.size).toBe(1);
    server.append(ONE, 2);
    apart.tell(first.tab, 'shown');
    await pass();
    expect(seen.map(({ seqs }) => seqs)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
