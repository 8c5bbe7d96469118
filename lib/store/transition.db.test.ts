import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { modelResponded, newId, proposedCall, requestModel, SETTINGS, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { claimRuns } from './claim-runs';
import { openStore, type Store } from './database';
import { createWritePath } from './group-commit';
import { loadRunState } from './load-run-state';
import { readConversation } from './read-conversation';
import { readEvents } from './read-events';
import { readOpenCalls } from './read-open-calls';
import { transition } from './transition';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 6 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const holder = async (): Promise<TestHolder> => {
  await submitTestRun(store);
  return TestHolder.claim(store);
};

const row = async (text: string, ...values: string[]): Promise<Record<string, unknown> | undefined> =>
  (await store.rows(z.record(z.string(), z.unknown()), text, ...values))[0];

describe('a transition', () => {
  test('commits state and events together, under one time', async () => {
    const one = await holder();
    const requestId = newId('req');
    const call = proposedCall('write_file', 'workspace', true);
    const sealed = new Map([[call.callId, { bytes: new Uint8Array([1, 2, 250]), inputHash: 'h' }]]);
    await one.apply(requestModel(requestId));
    const responded = await one.apply(modelResponded(requestId, 'I will.', [call]), undefined, sealed);
    if (responded.kind !== 'committed') throw new Error(responded.kind);

    const loaded = await loadRunState(store, one.run);
    expect(loaded?.state).toEqual(one.state);
    expect(loaded?.row).toMatchObject({ status: 'running', version: one.version, lastSeq: one.state.seq });
    const events = await readEvents(store, { ...one.run, after: 5, limit: 100 });
    expect(events.map((event) => [event.seq, event.type])).toEqual([
      [6, 'model.responded'],
      [7, 'usage.recorded'],
      [8, 'tool.proposed'],
      [9, 'tool.decided'],
    ]);
    expect(new Set(events.map((event) => event.timestamp))).toEqual(new Set([responded.at.toISOString()]));

    const open = await readOpenCalls(store, one.run);
    expect(open).toEqual([
      { callId: call.callId, name: 'write_file', status: 'ready', arguments: call.arguments, sealed: new Uint8Array([1, 2, 250]), inputHash: 'h' },
    ]);
    await one.apply({ type: 'start_call', callId: call.callId });
    expect(await row('SELECT status, started_epoch, started_at IS NOT NULL AS started FROM tool_call WHERE id = $1', call.callId)).toEqual({
      status: 'running',
      started_epoch: 1n,
      started: true,
    });
    await one.apply({ type: 'end_call', callId: call.callId, outcome: { kind: 'completed', output: 'written', truncated: false } });
    expect(await row('SELECT status, sealed_arguments, ended_at IS NOT NULL AS ended FROM tool_call WHERE id = $1', call.callId)).toEqual({
      status: 'completed',
      sealed_arguments: null,
      ended: true,
    });
    expect(await row('SELECT write_count FROM task WHERE id = $1', one.run.taskId)).toEqual({ write_count: 1n });
    expect(await row('SELECT status, class FROM model_request WHERE id = $1', requestId)).toEqual({ status: 'responded', class: null });
    expect(await row('SELECT state, input_tokens, cost_micro_usd FROM usage_entry WHERE request_id = $1', requestId)).toEqual({
      state: 'known',
      input_tokens: 1000n,
      cost_micro_usd: 1234n,
    });
    expect((await readConversation(store, one.run)).map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('on a stale version, or under a stale epoch, changes nothing', async () => {
    const one = await holder();
    const stale = one.prepare(requestModel(newId('req')));
    await one.apply(requestModel(newId('req')));
    const before = await loadRunState(store, one.run);
    const current = { ...stale, version: one.version };
    expect(await transition(store, [stale])).toEqual([{ kind: 'overtaken' }]);
    expect(await transition(store, [{ ...current, leaseEpoch: 0 }])).toEqual([{ kind: 'overtaken' }]);
    expect(await transition(store, [{ ...current, leaseEpoch: 2 }])).toEqual([{ kind: 'overtaken' }]);
    expect(await transition(store, [{ ...current, projectId: newId('prj') }])).toEqual([{ kind: 'overtaken' }]);
    expect(await loadRunState(store, one.run)).toEqual(before);
  });

  test('of one run does not wait for, and is not hurt by, the bad data of another', async () => {
    const [good, bad, twin] = [await holder(), await holder(), await holder()];
    const taken = newId('req');
    await good.apply(requestModel(taken));
    const results = await transition(store, [
      bad.prepare(requestModel(taken)), // an id that is in use
      good.prepare(modelResponded(taken, 'fine')),
      twin.prepare(requestModel(newId('req'))),
    ]);
    expect(results.map((result) => result.kind)).toEqual(['refused', 'committed', 'committed']);
    expect(results[0]).toEqual({ kind: 'refused', code: '23505' });
    expect((await loadRunState(store, bad.run))?.row.version).toBe(bad.version);
  });

  test('stores text that PostgreSQL would refuse or alter as what it was cleaned to', async () => {
    const one = await holder();
    const requestId = newId('req');
    await one.apply(requestModel(requestId));
    expect((await one.apply(modelResponded(requestId, 'nul \0, lone \ud800, literal \\u0000'))).kind).toBe('committed');
    const [event] = await readEvents(store, { ...one.run, after: 5, limit: 1 });
    expect(event?.payload).toMatchObject({ text: 'nul \uFFFD, lone \uFFFD, literal \\u0000' });
  });

  test('that ends a run releases lease and directory and says how it ended', async () => {
    await submitTestRun(store, { settings: { ...SETTINGS, access: 'read_write' } });
    const one = await TestHolder.claim(store);
    expect(await row('SELECT holds_workspace, lease_owner FROM run WHERE id = $1', one.run.runId)).toEqual({ holds_workspace: true, lease_owner: 'test' });
    await one.apply({ type: 'end', reason: { kind: 'harness_failed', class: 'runtime', code: 'x', message: 'y' }, others: NO_OTHERS });
    const ended = await loadRunState(store, one.run);
    expect(ended?.row).toMatchObject({
      status: 'failed',
      exitCode: 1,
      terminal: { failed: { class: 'runtime', code: 'x', message: 'y' } },
      leaseOwner: null,
      holdsWorkspace: false,
    });
    expect(ended?.row.completion?.status).toBe('failed');
    expect(ended?.row.endedAt).not.toBeNull();
  });
});

describe('the group commit', () => {
  test('keeps the order of a run, and shares commits between runs', async () => {
    await Promise.all(Array.from({ length: 20 }, () => submitTestRun(store)));
    const claimed = await claimRuns(store, { owner: 'test', leaseSeconds: 60, limit: 64 });
    const holders = await Promise.all(claimed.map((run) => TestHolder.of(store, run)));
    expect(holders).toHaveLength(20);
    const path = createWritePath(store);
    await Promise.all(
      holders.map(async (one) => {
        for (let round = 0; round < 5; round += 1) {
          const requestId = newId('req');
          await one.apply(requestModel(requestId), path.transition);
          await one.apply(modelResponded(requestId, `round ${round}`), path.transition);
        }
      }),
    );
    await path.idle();
    for (const one of holders) {
      const loaded = await loadRunState(store, one.run);
      expect(loaded?.state).toEqual(one.state);
      const seqs = (await readEvents(store, { ...one.run, after: 0, limit: 1_000 })).map((event) => event.seq);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      expect(new Set(seqs).size).toBe(seqs.length);
    }
  });
});
