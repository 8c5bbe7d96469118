/** Several workers on one database: every run is driven by one of them, once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { integer } from '@/lib/store/columns';
import { openStore, type Store } from '@/lib/store/database';
import { listen, type Listener } from '@/lib/store/listen';
import { calling, callTo, saying } from '@/lib/testing/fake-model';
import { completed, fakeTools } from '@/lib/testing/fake-tools';
import { newId, SETTINGS, submitTestRun } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { testEngine } from '@/lib/testing/test-engine';
import { runWorker } from './run-worker';

let database: TestDatabase;
let store: Store;
const listeners: Listener[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 4 });
});
afterAll(async () => {
  for (const listener of listeners) await listener.close();
  await store.close();
  await database.drop();
});

const RUNS = 20;

test('two workers drive twenty short runs, each once and to its end', { timeout: 60_000 }, async () => {
  const effects: string[] = [];
  const stop = new AbortController();
  const errors: unknown[] = [];
  const workers = Array.from({ length: 2 }, () => {
    const engine = testEngine({
      url: database.url,
      // By the place in the task, as the scripted model is asked: one model for all runs.
      modelFor: () => ({
        request: async ({ taskRequestIndex, messages }) =>
          taskRequestIndex === 0 ? calling(callTo('write', { task: messages[0]?.text ?? '' })) : saying('Done.'),
        price: () => null,
        unfinished: () => null,
      }),
      tools: fakeTools({
        write: {
          effect: 'workspace',
          countsAsWrite: true,
          execute: (args) => {
            effects.push(JSON.stringify(args));
            return completed('ok', { changedPaths: ['a'] });
          },
        },
      }),
    });
    const listener = listen(database.url);
    listeners.push(listener);
    const parts = { engine, listener, owner: engine.owner, slots: 6, leaseSeconds: engine.leaseSeconds, sweep: async () => undefined, onError: (error: unknown) => void errors.push(error) };
    return { engine, running: runWorker(parts, stop.signal) };
  });

  const settings = { ...SETTINGS, access: 'read_write' as const };
  const watcher = listen(database.url);
  listeners.push(watcher);
  const allEnded = new Promise<void>((resolve) => {
    watcher.subscribe('all', () => {
      void count("SELECT count(*) AS n FROM run WHERE status = 'succeeded'").then((n) => {
        if (n === RUNS) resolve();
      });
    });
  });
  await watcher.ready;
  for (let index = 0; index < RUNS; index += 1) {
    await submitTestRun(store, { task: `task ${index}`, workspace: { kind: 'directory', path: `/srv/${newId('wsp')}` }, settings });
  }
  await allEnded;
  stop.abort();
  for (const { engine, running } of workers) {
    await running;
    expect(engine.unexpected).toEqual([]);
    await engine.close();
  }

  expect(errors).toEqual([]);
  expect(await count("SELECT count(*) AS n FROM run_event WHERE type = 'run.started'")).toBe(RUNS);
  expect(new Set(effects).size).toBe(RUNS);
  expect(effects).toHaveLength(RUNS);
  // Control: both have worked.
  expect(await count("SELECT count(DISTINCT payload ->> 'worker') AS n FROM run_event WHERE type = 'run.started'")).toBe(2);
});

async function count(sql: string): Promise<number> {
  const [row] = await store.rows(z.object({ n: integer }), sql);
  return row?.n ?? -1;
}
