import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startDatabaseProxy, type DatabaseProxy, type Fault } from '@/lib/testing/database-proxy';
import { newId, requestModel, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { claimRuns } from './claim-runs';
import { integer } from './columns';
import { openStore, type Store } from './database';
import { loadRunState } from './load-run-state';
import { readEvents } from './read-events';
import { transition, type Transition, type TransitionResult } from './transition';

let database: TestDatabase;
/** Straight to the server: sees what is so. */
let truth: Store;
let proxy: DatabaseProxy;
/** By way of the proxy. */
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  truth = openStore(database.url);
});
beforeEach(async () => {
  proxy = await startDatabaseProxy(database.url);
  store = openStore(proxy.url, { poolSize: 2, silenceMs: 500 });
});
afterEach(async () => {
  await proxy.close();
  await store.close();
});
afterAll(async () => {
  await truth.close();
  await database.drop();
});

/** Wake-ups go elsewhere, so that the fault meets the statement it is meant for. */
const quiet = () => ({ rows: store.rows, announce: () => undefined, summon: () => undefined });
const send = async (one: Transition, deadlineMs = 10_000): Promise<TransitionResult | undefined> =>
  (await transition(quiet(), [one], { deadlineMs }))[0];

const holder = async (): Promise<TestHolder> => {
  await submitTestRun(truth);
  return TestHolder.claim(truth);
};

describe('a transition whose acknowledgement is lost', () => {
  test.each<[Fault, number]>([
    ['cut_before', 1],
    ['cut_after', 1],
    ['silence', 1],
    ['cut_before', 3],
  ])('(%s, %i times) is committed exactly once, as reading the row shows', async (fault, times) => {
    const one = await holder();
    const wanted = one.prepare(requestModel(newId('req')));
    proxy.arm(fault, wanted.nonce, times);
    const result = await send(wanted);
    expect(proxy.hits).toBe(times);
    const events = await readEvents(truth, { ...one.run, after: one.state.seq, limit: 10 });
    expect(events.map((event) => event.type)).toEqual(['model.requested']);
    expect(result).toEqual({ kind: 'committed', at: new Date(events[0]?.timestamp ?? 0) });
    expect((await loadRunState(truth, one.run))?.state).toEqual(wanted.after);
  });

  test('and which was fenced is overtaken, not committed', async () => {
    const one = await holder();
    const stale = one.prepare(requestModel(newId('req')));
    await one.apply(requestModel(newId('req')));
    proxy.arm('cut_after', stale.nonce);
    expect(await send(stale)).toEqual({ kind: 'overtaken' });
    expect(proxy.hits).toBe(1);
    expect((await loadRunState(truth, one.run))?.state).toEqual(one.state);
  });

  test('does not hide what became of the others in its statement', async () => {
    const [one, two] = [await holder(), await holder()];
    const stale = one.prepare(requestModel(newId('req')));
    await one.apply(requestModel(newId('req')));
    const wanted = two.prepare(requestModel(newId('req')));
    proxy.arm('cut_after', wanted.nonce);
    const results = await transition(quiet(), [stale, wanted]);
    expect(results.map((result) => result.kind)).toEqual(['overtaken', 'committed']);
  });

  test('and which cannot be looked up in time is an error, never a guess', async () => {
    const one = await holder();
    const wanted = one.prepare(requestModel(newId('req')));
    proxy.arm('cut_before', 'run', 1_000);
    await expect(send(wanted, 300)).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
  });
});

describe('a claim whose acknowledgement is lost', () => {
  test.each<Fault>(['cut_before', 'cut_after'])('(%s) gives what it took, and nothing twice', async (fault) => {
    const { runId } = await submitTestRun(truth);
    const owner = `worker-${randomUUID()}`;
    proxy.arm(fault, owner);
    const claimed = await claimRuns(quiet(), { owner, leaseSeconds: 60, limit: 4 });
    expect(proxy.hits).toBe(1);
    const started = (await readEvents(truth, { projectId: (await submitTestRun(truth)).projectId, runId, after: 0, limit: 10 })).filter(
      (event) => event.type === 'run.started',
    );
    expect(claimed.map((run) => run.runId)).toEqual(fault === 'cut_after' ? [runId] : []);
    expect(started).toHaveLength(claimed.length);
    await truth.rows(z.never(), "UPDATE run SET dispatch = 'local' WHERE status = 'queued'"); // out of the next test's way
  });
});

describe('a command whose acknowledgement is lost', () => {
  test.each<Fault>(['cut_before', 'cut_after', 'silence'])('(%s at its commit) is carried out once', async (fault) => {
    const { projectId } = await submitTestRun(truth);
    await store.rows(z.unknown(), 'SELECT 1');
    const count = async (): Promise<number> =>
      (await truth.rows(z.object({ n: integer }), 'SELECT count(*) AS n FROM run'))[0]?.n ?? -1;
    const before = await count();
    const commandId = newId('cmd');
    proxy.arm(fault, 'COMMIT');
    const submitted = await submitTestRun(store, { projectId, commandId });
    expect(proxy.hits).toBe(1);
    expect(submitted.created).toBe(fault === 'cut_before');
    expect(await count()).toBe(before + 1);
    expect((await submitTestRun(truth, { projectId, commandId })).runId).toBe(submitted.runId);
  });
});
