import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { messageOf } from '@/lib/domain/run/conversation';
import { after, decide } from '@/lib/domain/run/decide';
import type { RunEvent } from '@/lib/domain/run/event';
import { evolve } from '@/lib/domain/run/evolve';
import type { RunState } from '@/lib/domain/run/state';
import { isTerminal } from '@/lib/domain/run/status';
import { terminalToWire } from '@/lib/domain/run/terminal';
import { seededRandom } from '@/lib/testing/random';
import { randomFirst, randomInput } from '@/lib/testing/random-input';
import { SETTINGS, stateAt, submitTestRun } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { claimRuns } from './claim-runs';
import { integer } from './columns';
import { openStore, type Store } from './database';
import { loadRunState, type LoadedRun } from './load-run-state';
import { readConversation } from './read-conversation';
import { readEvents } from './read-events';
import { transition, type Transition } from './transition';
import { turnTotals } from './turn-totals';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const SEEDS = 24;
const STEPS = 50;

/** A random run, decided by the core and stored by the write path; some transitions come twice. */
async function walk(seed: number): Promise<{ loaded: LoadedRun; state: RunState; committed: number }> {
  const random = seededRandom(seed);
  const { settings } = randomFirst(random);
  const ref = await submitTestRun(store, { settings: { ...SETTINGS, verifier: settings.verifier, limits: settings.limits } });
  const reload = async (): Promise<LoadedRun> => {
    const loaded = await loadRunState(store, ref);
    if (loaded === null) throw new Error('the run is gone');
    return loaded;
  };
  let { row, state } = await reload();
  let committed = 0;
  for (let step = 0; step < STEPS && !isTerminal(state.status); step += 1) {
    const input = randomInput(random, state, NO_OTHERS);
    if (input.type === 'submit') continue;
    if (state.status === 'queued' && input.type === 'claim') {
      await claimRuns(store, { owner: 'walker', leaseSeconds: 60, limit: 5 });
      ({ row, state } = await reload());
      continue;
    }
    const decision = decide(state, input);
    if (!decision.ok || decision.events.length === 0) continue;
    const one: Transition = {
      ...ref,
      leaseEpoch: row.leaseEpoch,
      version: row.version,
      nonce: randomUUID(),
      before: state,
      after: after(state, decision.events),
      events: decision.events,
    };
    const [result] = await transition(store, [one]);
    if (result?.kind !== 'committed') throw new Error(`seed ${seed}: ${input.type} was ${JSON.stringify(result)}`);
    committed += 1;
    if (random.chance(0.1)) expect(await transition(store, [one])).toEqual([{ kind: 'overtaken' }]);
    ({ row } = await reload());
    state = stateAt(one, result.at);
  }
  return { loaded: await reload(), state, committed };
}

test('folding the stored log gives the stored state, whatever happened (I13)', async () => {
  let total = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { loaded, state, committed } = await walk(seed);
    total += committed;
    const { row } = loaded;
    const because = `seed ${seed}`;
    expect(loaded.state, because).toEqual(state);
    expect([row.status, row.waitingReason, row.lastSeq], because).toEqual([state.status, state.waitingFor, state.seq]);
    expect(row.terminal, because).toEqual(state.terminal === null ? null : terminalToWire(state.terminal));
    expect(row.completion !== null, because).toBe(state.atRest);

    const events = await readEvents(store, { ...row, after: 0, limit: 10_000 });
    expect(await readConversation(store, row), because).toEqual(conversationOf(row.runId, events));
    const totals = await turnTotals(store, { projectId: row.projectId, turnId: row.turnId, exceptRunId: null });
    expect(totals.tool_calls, because).toEqual(state.tally);
    expect(totals.effects, because).toEqual(state.effects);
    expect(totals.writes_unknown, because).toBe(state.edits.unknown);
    expect(totals.usage, because).toMatchObject({
      input_tokens: state.usage.inputTokens,
      output_tokens: state.usage.outputTokens,
      cached_tokens: state.usage.cachedTokens,
      reasoning_tokens: state.usage.reasoningTokens,
      total_tokens: state.usage.totalTokens,
      cost_micro_usd: state.usage.costMicroUsd,
      unpriced_requests: state.usage.unpricedRequests,
      unknown_requests: state.usage.unknownRequests,
    });
    expect(await storedCalls(row.runId), because).toEqual(
      new Map(state.calls.map((call) => [call.callId as string, call.status as string])),
    );
    const [task] = await store.rows(z.object({ write_count: integer }), 'SELECT write_count FROM task WHERE id = $1', row.taskId);
    expect(task?.write_count, because).toBe(state.edits.succeeded);
    expect(await openRequests(row.runId), because).toEqual(state.openRequest === null ? [] : [state.openRequest.requestId]);
    if (!isTerminal(state.status)) await store.rows(z.never(), "UPDATE run SET dispatch = 'local' WHERE id = $1", row.runId); // out of the next walk's way
  }
  expect(total).toBeGreaterThan(SEEDS * 5);
}, 60_000);

function conversationOf(runId: LoadedRun['row']['runId'], events: readonly RunEvent[]): unknown[] {
  let state: RunState | null = null;
  return events.flatMap((event) => {
    const message = messageOf(state, event);
    state = evolve(state, runId, event);
    return message === null ? [] : [message];
  });
}

async function storedCalls(runId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await store.rows(
    z.object({ id: z.string(), status: z.string() }),
    'SELECT id, status FROM tool_call WHERE run_id = $1 AND ended_at IS NULL',
    runId,
  );
  return new Map(rows.map((row) => [row.id, row.status]));
}

async function openRequests(runId: string): Promise<string[]> {
  const rows = await store.rows(z.object({ id: z.string() }), "SELECT id FROM model_request WHERE run_id = $1 AND status = 'open'", runId);
  return rows.map((row) => row.id);
}
