import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { cancelRun } from '@/lib/commands/cancel-run';
import { newId, requestModel, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { openStore, type Store } from './database';
import { ALL_RUNS, listen, type Listener } from './listen';
import { publishEphemeral } from './publish-ephemeral';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 4 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const listener = (): Listener => {
  const made = listen(database.url);
  onTestFinished(() => made.close());
  return made;
};

/** What was said, and a wait for it. Listening has begun when the first null came. */
async function heardOn(subscribe: (wake: (runId: string | null) => void) => () => void) {
  const heard: (string | null)[] = [];
  subscribe((runId) => heard.push(runId));
  await expect.poll(() => heard).toEqual([null]);
  heard.length = 0;
  return heard;
}

describe('who drives runs', () => {
  test('hears of a new run and of a cancel at once, and nothing of what other drivers commit', async () => {
    const ears = listener();
    const work = await heardOn((wake) => ears.onWork(wake));
    const run = await heardOn((wake) => ears.subscribe(ALL_RUNS, wake));

    const { runId, projectId } = await submitTestRun(store);
    const submitted = performance.now();
    await expect.poll(() => work, { interval: 2 }).toEqual([runId]);
    expect(performance.now() - submitted).toBeLessThan(300); // far below a poll; usually some 10 ms

    const holder = await TestHolder.claim(store);
    await holder.apply(requestModel(newId('req')));
    await holder.apply({ type: 'release', reason: 'worker_stopping' });
    await expect.poll(() => work).toEqual([runId, runId]); // it is queued again
    await cancelRun({ store, newId }, { projectId, runId, commandId: newId('cmd'), actor: 'local' });
    await expect.poll(() => work).toEqual([runId, runId, runId]);
    await expect.poll(() => run.length).toBeGreaterThanOrEqual(3); // commits within a window are said once
    expect(new Set(run)).toEqual(new Set([runId]));
  });
});

describe('the listener', () => {
  test('that loses its connection says so to every subscriber once it listens again', async () => {
    const ears = listener();
    const one = await heardOn((wake) => ears.subscribe('run_1', wake));
    const work = await heardOn((wake) => ears.onWork(wake));
    const client = new pg.Client(database.url);
    await client.connect();
    const killed = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pilothouse listener' AND datname = current_database()`,
    );
    await client.end();
    expect(killed.rowCount).toBe(1);
    await expect.poll(() => [one, work], { timeout: 3_000 }).toEqual([[null], [null]]);
    store.announce('run_1');
    store.summon('run_2');
    await expect.poll(() => [one, work]).toEqual([
      [null, 'run_1'],
      [null, 'run_2'],
    ]);
  });

  test('carries pieces to those who listen to their run, and to nobody else', async () => {
    const ears = listener();
    const mine: EphemeralEvent[] = [];
    const end = ears.onPieces('run_1', (piece) => mine.push(piece));
    await heardOn((wake) => ears.subscribe(ALL_RUNS, wake)); // LISTEN goes in order
    const publisher = publishEphemeral(store);
    const piece = (text: string): EphemeralEvent => ({ type: 'tool.output', payload: { call_id: 'call_1', stream: 'stdout', offset: 3, text } });
    publisher.publish('run_2', piece('theirs'));
    publisher.publish('run_1', piece('a "quoted" 🦊\n\u0000'));
    await expect.poll(() => mine).toEqual([piece('a "quoted" 🦊\n\u0000')]);
    end();
    publisher.publish('run_1', piece('later'));
    await publisher.close();
    store.announce('run_3');
    await heardOn((wake) => listener().subscribe(ALL_RUNS, wake));
    expect(mine).toHaveLength(1);
  });
});
