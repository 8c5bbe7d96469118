import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { cancelRun } from '@/lib/commands/cancel-run';
import { claimRuns, type ClaimedRun } from '@/lib/store/claim-runs';
import { openStore, type Store } from '@/lib/store/database';
import { listen, type Listener } from '@/lib/store/listen';
import { newId, requestModel, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { claimLoop } from './claim-loop';

/** So long that what happens sooner did not happen by polling. */
const POLL_MS = 60_000;

let database: TestDatabase;
/** Of the worker, and of another process: they share nothing but the database. */
let mine: Store;
let theirs: Store;
let listener: Listener;
beforeAll(async () => {
  database = await createTestDatabase();
  mine = openStore(database.url, { poolSize: 3 });
  theirs = openStore(database.url, { poolSize: 3 });
});
afterAll(async () => {
  await Promise.all([mine.close(), theirs.close()]);
  await database.drop();
});

interface Driven {
  readonly run: ClaimedRun;
  readonly claimedAt: number;
  readonly nudgedAt: number[];
  readonly end: () => void;
}
let driven: Driven[];
let claims: number;
let stop: AbortController;
let loop: Promise<void>;
beforeEach(async () => {
  driven = [];
  claims = 0;
  stop = new AbortController();
  listener = listen(database.url);
  loop = claimLoop(
    {
      slots: 10,
      pollMs: POLL_MS,
      listener,
      claim(limit) {
        claims += 1;
        return claimRuns(mine, { owner: 'mine', leaseSeconds: 60, limit });
      },
      drive(run) {
        let end = (): void => undefined;
        const done = new Promise<void>((resolve) => (end = resolve));
        const one: Driven = { run, claimedAt: performance.now(), nudgedAt: [], end };
        driven.push(one);
        return { done, release: end, nudge: () => one.nudgedAt.push(performance.now()) };
      },
      onError: (error) => {
        throw error;
      },
    },
    stop.signal,
  );
  await listener.ready;
  await expect.poll(() => claims).toBeGreaterThan(0);
});
afterEach(async () => {
  stop.abort();
  await loop;
  await listener.close();
});

async function driveOf(runId: string): Promise<Driven> {
  const find = () => driven.find((one) => one.run.runId === runId);
  await expect.poll(find, { interval: 2 }).toBeDefined();
  const found = find();
  if (found === undefined) throw new Error('it was there');
  return found;
}

test('a claim follows a submit, and a cancel reaches the driver, without waiting for a poll', async () => {
  const tookMs = { claim: [] as number[], cancel: [] as number[] };
  for (let time = 0; time < 10; time += 1) {
    const { runId, projectId } = await submitTestRun(theirs);
    const submitted = performance.now();
    const drive = await driveOf(runId);
    tookMs.claim.push(drive.claimedAt - submitted);
    const nudges = drive.nudgedAt.length;
    await cancelRun({ store: theirs, newId }, { projectId, runId, commandId: newId('cmd'), actor: 'local' });
    const cancelled = performance.now();
    await expect.poll(() => drive.nudgedAt.length, { interval: 2 }).toBeGreaterThan(nudges);
    tookMs.cancel.push((drive.nudgedAt.at(-1) ?? NaN) - cancelled);
  }
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[5] ?? NaN;
  // Usually below 15 and 5 ms; the bounds are those of a machine that is busy otherwise.
  expect(median(tookMs.claim)).toBeLessThan(300);
  expect(median(tookMs.cancel)).toBeLessThan(300);
});

test("a driver's own commits neither wake it nor make anybody claim", async () => {
  const { runId } = await submitTestRun(theirs);
  const one = await driveOf(runId);
  const run = await TestHolder.of(mine, one.run);
  await new Promise((resolve) => setTimeout(resolve, 100)); // the submit's own wake-up may come after the claim
  const [nudges, claimed] = [one.nudgedAt.length, claims];
  for (let commits = 0; commits < 10; commits += 1) {
    const requestId = newId('req');
    await run.apply(requestModel(requestId));
    await run.apply({ type: 'model_failed', requestId, failure: FAILURE, partialText: '', usage: { state: 'unknown', reason: 'none' }, costMicroUsd: null });
  }
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect([one.nudgedAt.length, claims]).toEqual([nudges, claimed]);
});

const FAILURE = { class: 'overload', code: '503', message: 'overloaded', retryable: true } as const;
