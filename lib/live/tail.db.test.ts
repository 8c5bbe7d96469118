// Longer than other files: every rule here needs the same database, writer and readers.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import pg from 'pg';
import { z } from 'zod';
import { cancelRun } from '@/lib/commands/cancel-run';
import type { RunId } from '@/lib/domain/id';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { openStore, type Store } from '@/lib/store/database';
import { listen, type Listener } from '@/lib/store/listen';
import { publishEphemeral, type EphemeralPublisher } from '@/lib/store/publish-ephemeral';
import { readEvents } from '@/lib/store/read-events';
import type { Sql } from '@/lib/store/sql';
import { modelResponded, newId, requestModel, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import type { Frame } from './frame';
import { parseCursors } from './stream-request';
import { createLive, type Bounds, type Frames, type Live } from './tail';

let database: TestDatabase;
let store: Store;
let listener: Listener;
let pieces: EphemeralPublisher;
let controllers: AbortController[] = [];
let live: Live;

beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 6 });
  pieces = publishEphemeral(store);
});
beforeEach(async () => {
  listener = listen(database.url);
  live = createLive({ store, listener });
  await listener.ready;
});
afterEach(async () => {
  for (const controller of controllers) controller.abort();
  controllers = [];
  expect(live.channels()).toBe(0);
  await listener.close();
});
afterAll(async () => {
  await pieces.close();
  await store.close();
  await database.drop();
});

interface Said {
  readonly seq?: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}
const parse = ({ data }: Frame): Said => JSON.parse(data) as Said;

class Reader {
  readonly said: Said[] = [];
  outcome: string | null = null;
  readonly #controller = new AbortController();
  paused: Promise<void> = Promise.resolve();

  constructor(private readonly open: (signal: AbortSignal) => Promise<Frames | null> | Frames) {
    controllers.push(this.#controller);
    void this.#read();
  }

  get seqs(): number[] {
    return this.said.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  }

  get cursor(): number {
    return this.seqs.at(-1) ?? 0;
  }

  leave(): void {
    this.#controller.abort();
  }

  async #read(): Promise<void> {
    const frames = await this.open(this.#controller.signal);
    if (frames === null) {
      this.outcome = 'unknown';
      return;
    }
    for (;;) {
      await this.paused;
      const { done, value } = await frames.next();
      if (done === true) {
        this.outcome = value;
        return;
      }
      this.said.push(...value.map(parse));
    }
  }
}

const reader = (run: TestHolder['run'], after = 0, of: Live = live): Reader =>
  new Reader((signal) => of.tail({ projectId: run.projectId, runId: run.runId, after, signal }));

async function holder(): Promise<TestHolder> {
  await submitTestRun(store);
  return TestHolder.claim(store);
}

async function round(one: TestHolder, text = 'a round'): Promise<void> {
  const requestId = newId('req');
  await one.apply(requestModel(requestId));
  await one.apply(modelResponded(requestId, text));
}

const end = (one: TestHolder) =>
  one.apply({ type: 'end', reason: { kind: 'harness_failed', class: 'runtime', code: 'x', message: 'y' }, others: NO_OTHERS });

const stored = async (one: TestHolder): Promise<number[]> =>
  (await readEvents(store, { ...one.run, after: 0, limit: 1_000 })).map((event) => event.seq);

describe('a stream', () => {
  test('resumed at every cursor, twice in a row, gives exactly the rest', async () => {
    const one = await holder();
    while (one.state.seq < 56) await round(one);
    await end(one);
    const all = await stored(one);
    expect(all.length).toBeGreaterThanOrEqual(58);
    for (const after of [0, ...all]) {
      for (let time = 0; time < 2; time += 1) {
        const resumed = reader(one.run, after);
        await expect.poll(() => resumed.outcome, { interval: 2 }).toBe('ended');
        expect(resumed.seqs).toEqual(all.filter((seq) => seq > after));
      }
    }
  });

  test('follows a writer and ends after session.completed, whenever its readers come and go', async () => {
    const one = await holder();
    const whole = reader(one.run);
    const resuming: { cursor: number; seen: number[] }[] = Array.from({ length: 5 }, () => ({ cursor: 0, seen: [] }));
    let writing = true;
    const hopping = resuming.map(async (hopper, index) => {
      do {
        const hop = reader(one.run, hopper.cursor);
        await new Promise((resolve) => setTimeout(resolve, 7 + 11 * index));
        hop.leave();
        hopper.seen.push(...hop.seqs);
        hopper.cursor = Math.max(hopper.cursor, hop.cursor);
      } while (writing);
      const last = reader(one.run, hopper.cursor);
      await expect.poll(() => last.outcome).toBe('ended');
      hopper.seen.push(...last.seqs);
    });
    for (let rounds = 0; rounds < 40; rounds += 1) await round(one);
    await end(one);
    writing = false;
    await Promise.all(hopping);
    await expect.poll(() => whole.outcome).toBe('ended');
    const all = await stored(one);
    expect(whole.seqs).toEqual(all);
    expect(whole.said.at(-1)?.type).toBe('session.completed');
    for (const hopper of resuming) expect(hopper.seen).toEqual(all);
  });

  test.each([
    ['its LISTEN connection is killed', "application_name = 'pilothouse listener'"],
    ['every connection is, as when the database restarts', "application_name LIKE 'pilothouse%'"],
  ])('loses and repeats nothing when %s', async (_name, which) => {
    const one = await holder();
    const watching = reader(one.run);
    const admin = new pg.Client(database.url);
    await admin.connect();
    for (let rounds = 0; rounds < 30; rounds += 1) {
      await round(one);
      if (rounds % 10 === 5) {
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which} AND datname = current_database()`,
        );
      }
    }
    await admin.end();
    await end(one);
    await expect.poll(() => watching.outcome, { timeout: 4_000 }).toBe('ended');
    expect(watching.seqs).toEqual(await stored(one));
  });

  test('of a run of another project, or of none, is none; and spoils nobody else\'s', async () => {
    const one = await holder();
    const wrong = new Reader((signal) => live.tail({ projectId: newId('prj'), runId: one.run.runId, after: 0, signal }));
    const right = reader(one.run);
    const none = new Reader((signal) => live.tail({ projectId: one.run.projectId, runId: newId('run'), after: 0, signal }));
    await expect.poll(() => [wrong.outcome, none.outcome]).toEqual(['unknown', 'unknown']);
    await round(one);
    await expect.poll(() => right.seqs).toEqual(await stored(one));
  });

  test('from a cursor beyond the log goes on with what comes', async () => {
    const one = await holder();
    const watching = reader(one.run, 1_000);
    await expect.poll(() => live.channels()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await end(one);
    await expect.poll(() => watching.outcome).toBe('ended');
    expect(watching.said.at(-1)?.type).toBe('session.completed');
  });
});

describe('watchers of one run', () => {
  test('share one reader, and leave nothing behind when they go', async () => {
    const one = await holder();
    let reads = 0;
    const counting: Pick<Sql, 'rows'> = {
      rows: (row, text, ...values) => {
        if (text.includes('run_event')) reads += 1;
        return store.rows(row, text, ...values);
      },
    };
    const counted = createLive({ store: counting, listener, bounds: { pollMs: 60_000 } });
    const all = Array.from({ length: 50 }, () => reader(one.run, 0, counted));
    await expect.poll(() => all.every(({ seqs }) => seqs.length === one.state.seq)).toBe(true);
    const before = reads;
    for (let rounds = 0; rounds < 10; rounds += 1) await round(one);
    await expect.poll(() => all.every(({ cursor }) => cursor === one.state.seq)).toBe(true);
    expect(reads - before).toBeLessThanOrEqual(31); // at most one a commit and a wake-up, not one a watcher
    expect(counted.channels()).toBe(1);
    for (const watcher of all) watcher.leave();
    expect(counted.channels()).toBe(0);
    await expect.poll(() => all.every(({ outcome }) => outcome === 'stopped')).toBe(true);
  });

  test('are dropped when they take nothing for too long, and resume where they were', async () => {
    const one = await holder();
    const bounds: Partial<Bounds> = { ringEntries: 20, ringBytes: 20_000, waitingBytes: 30_000 };
    const bounded = createLive({ store, listener, bounds });
    const [quick, slow] = [reader(one.run, 0, bounded), reader(one.run, 0, bounded)];
    await expect.poll(() => [quick.cursor, slow.cursor]).toEqual([one.state.seq, one.state.seq]);
    let goOn = (): void => undefined;
    slow.paused = new Promise((resolve) => (goOn = resolve));
    for (let rounds = 0; rounds < 20; rounds += 1) await round(one, 'x'.repeat(3_000));
    await expect.poll(() => quick.cursor).toBe(one.state.seq);
    goOn();
    await expect.poll(() => slow.outcome).toBe('stopped');
    expect(slow.cursor).toBeLessThan(one.state.seq);
    const again = reader(one.run, slow.cursor, bounded);
    await expect.poll(() => again.cursor).toBe(one.state.seq);
    expect([...slow.seqs, ...again.seqs]).toEqual(await stored(one));
    expect(quick.outcome).toBeNull();
  });

  test('read from the table what the ring has no longer', async () => {
    const one = await holder();
    const bounded = createLive({ store, listener, bounds: { ringEntries: 5 } });
    const [quick, slow] = [reader(one.run, 0, bounded), reader(one.run, 0, bounded)];
    await expect.poll(() => slow.cursor).toBe(one.state.seq);
    let goOn = (): void => undefined;
    slow.paused = new Promise((resolve) => (goOn = resolve));
    for (let rounds = 0; rounds < 20; rounds += 1) await round(one);
    await expect.poll(() => quick.cursor).toBe(one.state.seq);
    goOn();
    await end(one);
    await expect.poll(() => slow.outcome).toBe('ended');
    expect(slow.seqs).toEqual(await stored(one));
  });
});

describe('pieces', () => {
  const delta = (requestId: `req_${string}`, offset: number, text: string) =>
    ({ type: 'model.delta', payload: { request_id: requestId, kind: 'text', offset, text } }) as const;
  const texts = (watching: Reader) => watching.said.filter(({ seq }) => seq === undefined).map(({ payload }) => payload['text']);

  test('come between the events, and a late reader sees by the offset that some are missing', async () => {
    const one = await holder();
    const requestId = newId('req');
    const watching = reader(one.run);
    await one.apply(requestModel(requestId));
    await expect.poll(() => watching.said.at(-1)?.type).toBe('model.requested');
    pieces.publish(one.run.runId, delta(requestId, 0, 'Once upon '));
    await expect.poll(() => texts(watching)).toEqual(['Once upon ']);
    const late = reader(one.run, watching.cursor);
    await expect.poll(() => texts(late)).toEqual(['Once upon ']); // still in the ring
    pieces.publish(one.run.runId, delta(requestId, 10, 'a time'));
    await expect.poll(() => [watching.said.at(-1)?.payload['offset'], late.said.at(-1)?.payload['offset']]).toEqual([10, 10]);
  });

  test('of a settled request, and after run.cancelling, reach nobody', async () => {
    const one = await holder();
    const requestId = newId('req');
    const watching = reader(one.run);
    await one.apply(requestModel(requestId));
    await one.apply(modelResponded(requestId, 'done'));
    await expect.poll(() => watching.cursor).toBe(one.state.seq);
    pieces.publish(one.run.runId, delta(requestId, 0, 'too late'));
    const next = newId('req');
    await one.apply(requestModel(next));
    await expect.poll(() => watching.cursor).toBe(one.state.seq);
    pieces.publish(one.run.runId, delta(next, 0, 'in time'));
    await expect.poll(() => texts(watching)).toEqual(['in time']);

    const { projectId, runId } = one.run;
    await cancelRun({ store, newId }, { projectId, runId, commandId: newId('cmd'), actor: 'local' });
    await expect.poll(() => watching.said.some(({ type }) => type === 'run.cancelling')).toBe(true);
    const later = reader(one.run, watching.cursor);
    await expect.poll(() => live.channels()).toBe(1);
    for (let offset = 7; offset < 12; offset += 1) pieces.publish(one.run.runId, delta(next, offset, '!'));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([texts(watching), texts(later)]).toEqual([['in time'], []]);
  });
});

describe('the stream of a tree', () => {
  const idsAndTypes = (frames: readonly Frame[]) => frames.map(({ id, data }) => ({ id, ...(JSON.parse(data) as { run_id: string; seq?: number; type: string }) }));

  test('has the runs below too, resumes by a cursor of each, and ends with the root', async () => {
    const [root, child, grandchild] = [await holder(), await holder(), await holder()];
    for (const [one, parent] of [
      [child, root],
      [grandchild, child],
    ] as const) {
      await store.rows(z.object({ id: z.string() }), 'UPDATE run SET parent_run_id = $1, root_run_id = $2 WHERE id = $3 RETURNING id', parent.run.runId, root.run.runId, one.run.runId);
    }
    const { projectId, runId } = root.run;
    const seen: ReturnType<typeof idsAndTypes> = [];
    const watch = (after: ReadonlyMap<RunId, number>) =>
      new Reader(async function* (signal) {
        const frames = await live.tailTree({ projectId, runId, after, signal });
        for (;;) {
          const next = await frames?.next();
          if (next === undefined || next.done === true) return next?.value ?? 'stopped';
          seen.push(...idsAndTypes(next.value));
          yield next.value;
        }
      });
    const first = watch(new Map());
    await round(grandchild);
    await expect.poll(() => seen.filter(({ run_id }) => run_id === grandchild.run.runId).map(({ seq }) => seq)).toEqual(await stored(grandchild));
    pieces.publish(child.run.runId, { type: 'tool.output', payload: { call_id: 'call_1', stream: 'stdout', offset: 0, text: 'of the child' } });
    await expect.poll(() => seen.at(-1)).toMatchObject({ id: undefined, run_id: child.run.runId, type: 'tool.output' });
    first.leave();

    const cursor = parseCursors(seen.findLast(({ id }) => id !== undefined)?.id ?? '') ?? [];
    expect(cursor).toHaveLength(3);
    const second = watch(new Map(cursor.map((one) => [one.runId, one.after])));
    await round(child);
    await end(grandchild);
    await end(child);
    await end(root);
    await expect.poll(() => second.outcome).toBe('ended');
    for (const one of [root, child, grandchild]) {
      const seqs = seen.flatMap(({ run_id, seq }) => (run_id === one.run.runId && seq !== undefined ? [seq] : []));
      expect(seqs).toEqual(await stored(one));
    }
    expect(seen.at(-1)).toMatchObject({ run_id: runId, type: 'session.completed' });
    const late = watch(new Map());
    await expect.poll(() => late.outcome).toBe('ended');
    expect(await live.tailTree({ projectId: newId('prj'), runId, after: new Map(), signal: new AbortController().signal })).toBeNull();
  });
});

describe('the stream of a browser', () => {
  test('carries several runs and the project, says which run is unknown and which has ended', async () => {
    const [one, two] = [await holder(), await holder()];
    const unknown: RunId = newId('run');
    const { projectId } = one.run;
    const runs = [one.run.runId, two.run.runId, unknown].map((runId) => ({ runId, after: 0 }));
    const names: (string | undefined)[] = [];
    const watching = new Reader(async function* (signal) {
      const frames = live.multiplex({ projectId, runs, project: true, signal });
      for (;;) {
        const { done, value } = await frames.next();
        if (done === true) return value;
        names.push(...value.map(({ event }) => event));
        expect(value.every(({ id }) => id === undefined)).toBe(true);
        yield value;
      }
    });
    await expect.poll(() => names.slice(0, 2)).toEqual(['run.unknown', 'stream.open']);
    await expect.poll(() => names).toContain('runs.stale');
    await round(two);
    await end(one);
    await expect.poll(() => names).toContain('run.ended');
    const about = (run: TestHolder) => watching.said.filter((said) => 'run_id' in said && said.run_id === run.run.runId);
    const of = (run: TestHolder) => about(run).flatMap(({ seq, type }: Partial<Said>) => (type === undefined ? [] : [seq]));
    expect(about(one).at(-1)).toEqual({ run_id: one.run.runId, seq: one.state.seq });
    expect(of(one)).toEqual(await stored(one));
    await expect.poll(() => of(two)).toEqual(await stored(two));
    await expect
      .poll(() => watching.said.flatMap((said) => ('runs' in said ? (said.runs as { id: string; status: string }[]) : [])))
      .toContainEqual(expect.objectContaining({ id: one.run.runId, status: 'failed', exit_code: 1, last_seq: one.state.seq }));
    watching.leave();
    expect(live.channels()).toBe(0);
  });
});
