import { afterEach, afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { decide } from '@/lib/domain/run/decide';
import { newId, requestModel, SETTINGS, stateAt, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { claimOwnRun } from './claim-own-run';
import { claimRuns } from './claim-runs';
import { openStore, type Store } from './database';
import { loadRunState } from './load-run-state';
import { renewLeases } from './renew-leases';
import { transition } from './transition';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  store = openStore(database.url, { poolSize: 8 });
});
afterEach(async () => {
  await store.rows(z.never(), 'TRUNCATE run, run_event, message, model_request, turn, task, session, workspace, command CASCADE');
  await store.close();
});

const writing = (path: string) => ({
  settings: { ...SETTINGS, access: 'read_write' as const },
  workspace: { kind: 'directory' as const, path },
});
const claim = (owner: string, limit: number) => claimRuns(store, { owner, leaseSeconds: 60, limit });
const expire = (runId: string) =>
  store.rows(z.never(), "UPDATE run SET lease_expires_at = statement_timestamp() - interval '1 s' WHERE id = $1", runId);

describe('a claim', () => {
  test('is what the core decides, in the log and on the row', async () => {
    const { projectId, runId } = await submitTestRun(store);
    const queued = await loadRunState(store, { projectId, runId });
    if (queued === null) throw new Error('not there');
    const [claimed] = await claim('worker-1', 5);
    const decision = decide(queued.state, { type: 'claim', leaseEpoch: 1, worker: 'worker-1' });
    if (!decision.ok) throw new Error('refused');
    const running = await loadRunState(store, { projectId, runId });
    const at = running?.row.startedAt ?? new Date(0);
    expect(running?.state).toEqual(stateAt({ before: queued.state, events: decision.events, runId }, at));
    expect(running?.row).toMatchObject({ status: 'running', leaseOwner: 'worker-1', leaseEpoch: 1, version: 2, holdsWorkspace: false });
    expect(claimed).toMatchObject({ runId, leaseEpoch: 1, version: 2 });
  });

  test('never gives one run to two of many claimers at once', async () => {
    for (let index = 0; index < 60; index += 1) await submitTestRun(store);
    const claimed = (
      await Promise.all(
        Array.from({ length: 12 }, async (_unused, worker) => {
          const mine = [];
          for (let round = 0; round < 6; round += 1) mine.push(...(await claim(`worker-${worker}`, 3)));
          return mine;
        }),
      )
    ).flat();
    expect(claimed).toHaveLength(60);
    expect(new Set(claimed.map((run) => run.runId)).size).toBe(60);
    expect(claimed.every((run) => run.leaseEpoch === 1)).toBe(true);
  });

  test('after a release is a new epoch, and the former holder is fenced', async () => {
    await submitTestRun(store);
    const first = await TestHolder.claim(store);
    const late = first.prepare(requestModel(newId('req')));
    await first.apply({ type: 'release', reason: 'stopping' });
    const second = await TestHolder.claim(store);
    expect(second.run).toMatchObject({ runId: first.run.runId, leaseEpoch: 2 });
    expect(await transition(store, [{ ...late, version: second.version }])).toEqual([{ kind: 'overtaken' }]);
  });

  test('leaves a local run to the process that it was born leased to', async () => {
    const local = await submitTestRun(store, { dispatch: { kind: 'local', owner: 'cli-1', leaseSeconds: 60 } });
    expect(await claim('worker', 5)).toEqual([]);
    const own = { projectId: local.projectId, runId: local.runId, leaseSeconds: 60 };
    expect(await claimOwnRun(store, { ...own, owner: 'cli-2' })).toEqual({ kind: 'gone' });
    expect(await claimOwnRun(store, { ...own, owner: 'cli-1' })).toMatchObject({ kind: 'claimed', run: { runId: local.runId, leaseEpoch: 1 } });
  });

  test('of a local run comes too late after its lease has expired', async () => {
    const local = await submitTestRun(store, { dispatch: { kind: 'local', owner: 'cli-1', leaseSeconds: 60 } });
    await expire(local.runId);
    expect(await claimOwnRun(store, { ...local, owner: 'cli-1', leaseSeconds: 60 })).toEqual({ kind: 'gone' });
  });
});

describe('a directory', () => {
  test('is written in by one session at a time; the next one has it when the first ends', async () => {
    const first = await submitTestRun(store, writing('/srv/a'));
    const second = await submitTestRun(store, writing('/srv/a'));
    const elsewhere = await submitTestRun(store, writing('/srv/b'));
    const reading = await submitTestRun(store, { workspace: { kind: 'directory', path: '/srv/a' } });
    const claimed = await claim('worker', 10);
    expect(new Set(claimed.map((run) => run.runId))).toEqual(new Set([first.runId, elsewhere.runId, reading.runId]));
    expect(await claim('worker', 10)).toEqual([]);

    const [held] = claimed.filter((run) => run.runId === first.runId);
    if (held === undefined) throw new Error('not claimed');
    const holder = await TestHolder.of(store, held);
    // Waiting in the queue again, it still holds what it has half written.
    await holder.apply({ type: 'release', reason: 'stopping' });
    expect((await claim('worker', 10)).map((run) => run.runId)).toEqual([first.runId]);
    const again = await TestHolder.of(store, { ...held, leaseEpoch: 2 });
    await again.apply({ type: 'end', reason: { kind: 'provider_failed' }, others: NO_OTHERS });
    expect((await claim('worker', 10)).map((run) => run.runId)).toEqual([second.runId]);
  });

  test('that many claimers want for different sessions goes to one, whoever loses', async () => {
    for (let index = 0; index < 8; index += 1) await submitTestRun(store, writing('/srv/wanted'));
    const claimed = (await Promise.all(Array.from({ length: 8 }, (_unused, worker) => claim(`worker-${worker}`, 1)))).flat();
    expect(claimed).toHaveLength(1);
  });

  test('keeps a local run waiting, without losing its place', async () => {
    await submitTestRun(store, writing('/srv/c'));
    const [holder] = await claim('worker', 1);
    if (holder === undefined) throw new Error('not claimed');
    const local = await submitTestRun(store, { ...writing('/srv/c'), dispatch: { kind: 'local', owner: 'cli', leaseSeconds: 60 } });
    const own = { ...local, owner: 'cli', leaseSeconds: 60 };
    expect(await claimOwnRun(store, own)).toEqual({ kind: 'workspace_held' });
    await (await TestHolder.of(store, holder)).apply({ type: 'end', reason: { kind: 'provider_failed' }, others: NO_OTHERS });
    expect((await claimOwnRun(store, own)).kind).toBe('claimed');
  });

  test('never says that a directory is held while only the row of the local run is in use', async () => {
    const local = await submitTestRun(store, { ...writing('/srv/d'), dispatch: { kind: 'local', owner: 'cli', leaseSeconds: 60 } });
    const own = { ...local, owner: 'cli', leaseSeconds: 60 };
    await store.transaction(async (sql) => {
      await sql.rows(z.object({ id: z.string() }), 'SELECT id FROM run WHERE id = $1 FOR UPDATE', local.runId);
      expect(await claimOwnRun(store, own)).toEqual({ kind: 'busy' });
    });
    expect((await claimOwnRun(store, own)).kind).toBe('claimed');
  });
});

describe('the heartbeat', () => {
  test('renews what is held, and says what a command has changed', async () => {
    for (let index = 0; index < 3; index += 1) await submitTestRun(store);
    const runs = await claim('worker', 3);
    const renewed = await renewLeases(store, { owner: 'worker', leaseSeconds: 60, runs });
    expect([...renewed.values()]).toEqual(runs.map((run) => ({ leaseEpoch: 1, version: run.version, status: 'running' })));
  });

  test('never renews an expired lease, another epoch, or another life of the process', async () => {
    for (let index = 0; index < 2; index += 1) await submitTestRun(store);
    const [late, current] = await claim('worker', 2);
    if (late === undefined || current === undefined) throw new Error('not claimed');
    await expire(late.runId);
    const renew = (owner: string, leaseEpoch: number) =>
      renewLeases(store, { owner, leaseSeconds: 60, runs: [late, current].map(({ runId }) => ({ runId, leaseEpoch })) });
    expect([...(await renew('worker', 1)).keys()]).toEqual([current.runId]);
    expect((await renew('worker', 2)).size).toBe(0);
    expect((await renew('worker-restarted', 1)).size).toBe(0);
  });
});
