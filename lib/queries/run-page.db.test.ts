import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { evolve } from '@/lib/domain/run/evolve';
import type { RunState } from '@/lib/domain/run/state';
import { openStore, type Store } from '@/lib/store/database';
import { loadRunState } from '@/lib/store/load-run-state';
import { readEvents } from '@/lib/store/read-events';
import { readRunHead } from '@/lib/store/read-run-head';
import { modelResponded, newId, proposedCall, requestModel, SETTINGS, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { runPage } from './run-page';
import { stateOfHead } from './state-of-head';

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

const claimed = async (): Promise<TestHolder> => {
  await submitTestRun(store, { settings: { ...SETTINGS, verifier: 'node --test' } });
  return TestHolder.claim(store);
};

/** What only the next decision of a worker needs, and no view shows. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'heldSince', 'workedMs', 'lastEffect', 'changedPaths', 'step', 'answer', 'objectionsReported', 'recovery',
  'failedAttempts', 'lastFailure', 'truncations', 'truncationUnanswered', 'budgetExhausted',
]);

const shown = (state: RunState | null) => {
  if (state === null) throw new Error('no state');
  return Object.fromEntries(Object.entries(state).filter(([name]) => !NOT_SHOWN.has(name)));
};

const agrees = async (holder: TestHolder): Promise<void> => {
  const head = await readRunHead(store, holder.run);
  const folded = await loadRunState(store, holder.run);
  if (head === null || folded === null) throw new Error('no run');
  expect(shown(stateOfHead(head))).toEqual(shown(folded.state));
};

const call = async (holder: TestHolder, name: string, outcome: 'completed' | 'failed'): Promise<void> => {
  const requestId = newId('req');
  const proposed = proposedCall(name, name === 'edit' ? 'workspace' : 'external', name === 'edit');
  await holder.apply(requestModel(requestId));
  await agrees(holder);
  await holder.apply(modelResponded(requestId, 'now', [proposed]));
  await agrees(holder);
  await holder.apply({ type: 'start_call', callId: proposed.callId });
  await agrees(holder);
  await holder.apply({
    type: 'end_call',
    callId: proposed.callId,
    outcome:
      outcome === 'completed'
        ? { kind: 'completed', output: 'out', truncated: false, ...(name === 'run_command' ? { exitCode: 1 } : {}) }
        : { kind: 'failed', code: 'not_found', message: 'no such text' },
  });
  await agrees(holder);
};

describe('the first screen of a run', () => {
  test('has from rows what the fold of the whole log has, at every step', async () => {
    const holder = await claimed();
    await agrees(holder);
    await call(holder, 'edit', 'completed');
    await call(holder, 'edit', 'failed');
    await call(holder, 'run_command', 'completed');
    await holder.apply({ type: 'end', reason: { kind: 'paused', reason: 'limit', message: 'enough' }, others: NO_OTHERS });
    await agrees(holder);
  });

  test('is folded on by what comes later, to the same state', async () => {
    const holder = await claimed();
    const page = await runPage(store, holder.run);
    await call(holder, 'edit', 'completed');
    const later = await readEvents(store, { ...holder.run, after: page?.state.seq ?? 0, limit: 100 });
    let state: RunState | null = page?.state ?? null;
    for (const event of later) state = evolve(state, holder.run.runId, event);
    expect(shown(state)).toEqual(shown((await loadRunState(store, holder.run))?.state ?? null));
  });

  test('knows where something went wrong, and is nobody else’s', async () => {
    const holder = await claimed();
    await call(holder, 'edit', 'failed');
    await call(holder, 'run_command', 'completed');
    const page = await runPage(store, holder.run);
    const types = page?.failures.map((seq) => page.window.events.find((event) => event.seq === seq)?.type);
    expect(types).toEqual(['tool.failed', 'tool.completed']);
    expect(page?.window).toMatchObject({ hasEarlier: false, hasLater: false });
    expect(await runPage(store, { ...holder.run, projectId: newId('prj') })).toBeNull();
  });

  test('of a long log reads its end by index, however long it is', async () => {
    const holder = await claimed();
    const { runId, projectId } = holder.run;
    const { seq } = holder.state;
    await store.rows(
      z.never(),
      `INSERT INTO run_event (run_id, seq, project_id, type, payload)
       SELECT $1, $3::bigint + n, $2, 'tool.withdrawn', jsonb_build_object('call_id', 'call_' || n, 'reason', 'filler')
         FROM generate_series(1, 10000) n`,
      runId,
      projectId,
      seq,
    );
    await store.rows(z.never(), 'UPDATE run SET last_seq = $2 WHERE id = $1', runId, seq + 10_000);
    await store.rows(z.never(), 'ANALYZE run_event');
    const page = await runPage(store, holder.run);
    expect(page?.window.events.map((event) => event.seq).at(-1)).toBe(seq + 10_000);
    expect(page?.window.events).toHaveLength(200);
    expect(page?.window).toMatchObject({ hasEarlier: true, hasLater: false });
    const middle = await runPage(store, { ...holder.run, at: 5_000 });
    expect(middle?.window.events.some((event) => event.seq === 5_000)).toBe(true);
    expect(middle?.window).toMatchObject({ hasEarlier: true, hasLater: true });

    const plan = await store.rows(
      z.record(z.string(), z.string()),
      `EXPLAIN SELECT payload FROM run_event WHERE run_id = '${runId}' AND type = 'plan.updated' ORDER BY seq DESC LIMIT 1`,
    );
    expect(JSON.stringify(plan)).toContain('run_event_landmark_idx');
  });
});
