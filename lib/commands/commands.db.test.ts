// Longer than other files: each rule of a command is told on the session that the others made.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import type { RunId } from '@/lib/domain/id';
import { NO_LIMITS } from '@/lib/domain/run/settings';
import { listRuns } from '@/lib/queries/list-runs';
import { showRun } from '@/lib/queries/show-run';
import { integer } from '@/lib/store/columns';
import { openStore, type Store } from '@/lib/store/database';
import { loadRunState } from '@/lib/store/load-run-state';
import { readConversation } from '@/lib/store/read-conversation';
import { readEvents } from '@/lib/store/read-events';
import { turnTotals } from '@/lib/store/turn-totals';
import { modelResponded, newId, proposedCall, requestModel, SETTINGS, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { cancelRun } from './cancel-run';
import type { CommandContext } from './context';
import { ensureDefaultProject } from './ensure-default-project';
import { expireLeases } from './expire-leases';
import { forgetHistory } from './forget-history';
import { resumeRun } from './resume-run';
import { startTurn } from './start-turn';

let database: TestDatabase;
let store: Store;
let context: CommandContext;
const worker = { kind: 'worker' } as const;

beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 8 });
  context = { store, newId };
});
afterAll(async () => {
  await store.close();
  await database.drop();
});
// A run that a test leaves queued would be claimed by the next one.
afterEach(async () => {
  const left = await store.rows(z.object({ id: z.string(), project_id: z.string() }), "SELECT id, project_id FROM run WHERE status = 'queued'");
  for (const run of left) {
    await cancelRun(context, { projectId: run.project_id as never, commandId: newId('cmd'), actor: 'local', runId: run.id as RunId });
  }
});

const count = async (table: string): Promise<number> =>
  (await store.rows(z.object({ n: integer }), `SELECT count(*) AS n FROM ${table}`))[0]?.n ?? -1;

const expire = (runId: string): Promise<unknown> =>
  store.rows(z.never(), "UPDATE run SET lease_expires_at = statement_timestamp() - interval '1 s' WHERE id = $1", runId);

const submitAndClaim = async (request: Parameters<typeof submitTestRun>[1] = {}): Promise<TestHolder> => {
  const submitted = await submitTestRun(store, request);
  const holder = await TestHolder.claim(store);
  expect(holder.run.runId).toBe(submitted.runId);
  return holder;
};

const end = (holder: TestHolder, reason: 'paused' | 'failed') =>
  holder.apply({
    type: 'end',
    reason:
      reason === 'paused'
        ? { kind: 'paused', reason: 'limit', message: 'enough' }
        : { kind: 'harness_failed', class: 'runtime', code: 'x', message: 'y' },
    others: NO_OTHERS,
  });

/** A call with an effect, begun and not ended. */
async function beginEffect(holder: TestHolder): Promise<void> {
  const requestId = newId('req');
  const call = proposedCall('run_command', 'external');
  await holder.apply(requestModel(requestId));
  await holder.apply(modelResponded(requestId, 'now', [call]));
  await holder.apply({ type: 'start_call', callId: call.callId });
}

describe('a command', () => {
  test('sent 50 times at once under one id makes one run, and the same one after a restart', async () => {
    const projectId = await ensureDefaultProject(context);
    const commandId = newId('cmd');
    const [runs, audits] = [await count('run'), await count('audit_entry')];
    const answers = await Promise.all(Array.from({ length: 50 }, () => submitTestRun(store, { commandId, projectId })));
    expect(new Set(answers.map((answer) => answer.runId)).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(await count('run')).toBe(runs + 1);
    expect(await count('audit_entry')).toBe(audits + 1);

    const later = openStore(database.url);
    const again = await submitTestRun(later, { commandId, projectId });
    await later.close();
    expect(again).toEqual({ ...answers[0], created: false });
  });

  test('with another payload under a used id is refused, and nothing changes', async () => {
    const commandId = newId('cmd');
    await submitTestRun(store, { commandId });
    const before = [await count('run'), await count('session'), await count('command'), await count('audit_entry'), await count('run_event')];
    await expect(submitTestRun(store, { commandId, task: 'Another task.' })).rejects.toMatchObject({ name: 'CommandError', code: 'command_reused' });
    expect([await count('run'), await count('session'), await count('command'), await count('audit_entry'), await count('run_event')]).toEqual(before);
  });

  test('that is refused leaves nothing, so that its id can be used', async () => {
    const commandId = newId('cmd');
    await expect(submitTestRun(store, { commandId, task: ' \u200b ' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(
      startTurn(context, { projectId: await ensureDefaultProject(context), commandId, actor: 'local', sessionId: newId('ses'), text: 'hi', dispatch: worker }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect((await submitTestRun(store, { commandId })).created).toBe(true);
  });

  test('of one project does not reach into another', async () => {
    const { runId } = await submitTestRun(store);
    const stranger = newId('prj');
    await store.rows(z.never(), "INSERT INTO project (id, name) VALUES ($1, 'other')", stranger);
    const request = { projectId: stranger, commandId: newId('cmd'), actor: 'local' as const };
    await expect(cancelRun(context, { ...request, runId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(resumeRun(context, { ...request, target: { runId }, dispatch: worker })).rejects.toMatchObject({ code: 'not_found' });
    expect(await showRun(store, { projectId: stranger, runId })).toBeNull();
    expect((await listRuns(store, { projectId: stranger }))?.items).toEqual([]);
  });
});

describe('cancel', () => {
  test('of a queued run ends it at once, without a worker', async () => {
    const { runId, projectId } = await submitTestRun(store);
    const commandId = newId('cmd');
    const first = await cancelRun(context, { projectId, commandId, actor: 'local', runId });
    expect(first).toEqual({ runId, status: 'cancelled', created: true });
    expect(await cancelRun(context, { projectId, commandId, actor: 'local', runId })).toEqual({ ...first, created: false });
    await expect(cancelRun(context, { projectId, commandId: newId('cmd'), actor: 'local', runId })).rejects.toMatchObject({
      code: 'run_ended',
      current: { status: 'cancelled' },
    });
    expect(await showRun(store, { projectId, runId })).toMatchObject({ status: 'cancelled', exit_code: 130, terminal: { cancelled: { by: 'local' } } });
  });

  test('of a held run overtakes its holder, who then finishes it', async () => {
    const holder = await submitAndClaim();
    const { projectId, runId } = holder.run;
    expect((await cancelRun(context, { projectId, commandId: newId('cmd'), actor: 'signal:SIGTERM', runId })).status).toBe('cancelling');
    expect((await holder.apply(requestModel(newId('req')))).kind).toBe('overtaken');
    const again = await TestHolder.of(store, holder.run);
    expect((await cancelRun(context, { projectId, commandId: newId('cmd'), actor: 'local', runId })).status).toBe('cancelling');
    expect((await again.apply({ type: 'finish_cancel', others: NO_OTHERS })).kind).toBe('committed');
    expect(await showRun(store, holder.run)).toMatchObject({ status: 'cancelled', exit_code: 143 });
  });
});

describe('an expired lease', () => {
  test('is not taken while it holds', async () => {
    const holder = await submitAndClaim();
    expect(await expireLeases(context)).toEqual([]);
    await end(holder, 'failed');
  });

  test('of a run with nothing in doubt makes it go on by itself, request in flight counted as unknown', async () => {
    const holder = await submitAndClaim({ settings: { ...SETTINGS, access: 'read_write' }, workspace: { kind: 'directory', path: '/srv/goes-on' } });
    await holder.apply(requestModel(newId('req')));
    await expire(holder.run.runId);
    const swept = await Promise.all([expireLeases(context), expireLeases(context), expireLeases(context)]);
    const ended = swept.flat();
    expect(ended).toHaveLength(1);
    const next = ended[0]?.continuesAs ?? null;
    if (next === null) throw new Error('it does not go on');
    expect((await holder.apply({ type: 'release', reason: 'late' })).kind).toBe('overtaken');

    expect(await showRun(store, holder.run)).toMatchObject({
      status: 'interrupted',
      terminal: { interrupted: { unknown_calls: [], continues_as: next } },
      usage: { unknown_requests: 1, total_tokens: 0 },
    });
    const continued = await loadRunState(store, { projectId: holder.run.projectId, runId: next });
    expect(continued?.row).toMatchObject({ generation: 2, origin: 'continued', turnId: holder.run.turnId, holdsWorkspace: true });
    expect(await turnTotals(store, { ...holder.run, exceptRunId: next })).toMatchObject({ usage: { unknown_requests: 1 } });
    const second = await TestHolder.claim(store);
    expect(second.run).toMatchObject({ runId: next, leaseEpoch: 1 });
    await end(second, 'failed');
  });

  test('makes a run go on by itself three times in a row, not a fourth, and again after a completed round', async () => {
    const generations = async (work: (holder: TestHolder, generation: number) => Promise<void>): Promise<number> => {
      let holder = await submitAndClaim();
      for (let generation = 1; ; generation += 1) {
        await work(holder, generation);
        await expire(holder.run.runId);
        const [ended] = await expireLeases(context);
        if (ended?.continuesAs == null) return generation;
        holder = await TestHolder.claim(store);
      }
    };
    expect(await generations(async () => undefined)).toBe(4);
    const roundInThird = async (holder: TestHolder, generation: number): Promise<void> => {
      if (generation !== 3) return;
      const requestId = newId('req');
      await holder.apply(requestModel(requestId));
      await holder.apply(modelResponded(requestId, 'x', [proposedCall('read_file', 'none')]));
    };
    expect(await generations(roundInThird)).toBe(6);
  });

  test('leaves a run with an effect in doubt interrupted, and nothing may follow', async () => {
    const holder = await submitAndClaim();
    await beginEffect(holder);
    await expire(holder.run.runId);
    expect(await expireLeases(context)).toEqual([{ runId: holder.run.runId, status: 'interrupted', continuesAs: null }]);
    const { projectId, runId, sessionId } = holder.run;
    const shown = await showRun(store, { projectId, runId });
    expect(shown).toMatchObject({ status: 'interrupted', exit_code: 6, tool_calls: { unknown: 1 } });
    const request = { projectId, actor: 'local' as const, dispatch: worker };
    await expect(resumeRun(context, { ...request, commandId: newId('cmd'), target: { runId } })).rejects.toMatchObject({ code: 'unreconciled' });
    await expect(startTurn(context, { ...request, commandId: newId('cmd'), sessionId, text: 'go on' })).rejects.toMatchObject({
      code: 'unreconciled',
      isConflict: true,
    });
    const roles = (await readConversation(store, holder.run)).map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'tool']);
  });

  test('of a run that was being cancelled ends it cancelled', async () => {
    const holder = await submitAndClaim();
    await cancelRun(context, { ...holder.run, commandId: newId('cmd'), actor: 'local' });
    await expire(holder.run.runId);
    expect(await expireLeases(context)).toEqual([{ runId: holder.run.runId, status: 'cancelled', continuesAs: null }]);
  });

  test('of a local run ends it and never makes it go on, begun or not', async () => {
    const local = { kind: 'local', owner: 'cli', leaseSeconds: 60 } as const;
    const { runId } = await submitTestRun(store, { dispatch: local });
    await expire(runId);
    expect(await expireLeases(context)).toEqual([{ runId, status: 'interrupted', continuesAs: null }]);
  });
});

describe('a turn', () => {
  test('goes on as the next generation, by one of those who race for it', async () => {
    const holder = await submitAndClaim();
    const call = proposedCall('write_file', 'workspace', true);
    const requestId = newId('req');
    await holder.apply(requestModel(requestId));
    await holder.apply(modelResponded(requestId, 'x', [call]));
    await holder.apply({ type: 'start_call', callId: call.callId });
    await holder.apply({ type: 'end_call', callId: call.callId, outcome: { kind: 'completed', output: '', truncated: false, changedPaths: ['roof.txt'] } });
    await end(holder, 'paused');
    const { projectId, runId, sessionId } = holder.run;

    const limits = { ...NO_LIMITS, rounds: 9 };
    const race = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        resumeRun(context, { projectId, actor: 'local', commandId: newId('cmd'), target: { runId }, limits, dispatch: worker }),
      ),
    );
    const won = race.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const lost = race.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    expect(won).toHaveLength(1);
    expect(new Set(lost)).toEqual(new Set(['not_latest']));

    const second = await TestHolder.claim(store);
    expect(second.state).toMatchObject({ generation: 2, edits: { succeeded: 1 }, changedPaths: ['roof.txt'], settings: { limits } });
    expect((await turnTotals(store, { ...second.run, exceptRunId: second.run.runId })).writes_applied).toBe(true);
    await expect(
      startTurn(context, { projectId, actor: 'local', commandId: newId('cmd'), sessionId, text: 'more', dispatch: worker }),
    ).rejects.toMatchObject({ code: 'run_live', current: { status: 'running' } });
    await end(second, 'paused');

    const next = await startTurn(context, { projectId, actor: 'local', commandId: newId('cmd'), sessionId, text: 'Now read.', dispatch: worker });
    await expect(
      resumeRun(context, { projectId, actor: 'local', commandId: newId('cmd'), target: { runId: second.run.runId }, dispatch: worker }),
    ).rejects.toMatchObject({ code: 'not_open' });
    const third = await TestHolder.claim(store);
    expect(third.run.runId).toBe(next.runId);
    expect(third.state).toMatchObject({ turnNumber: 2, generation: 1, edits: { succeeded: 0 }, carried: { settled_requests: 1 } });
    // The write of the earlier turn is in this one's baseline.
    expect((await turnTotals(store, { ...third.run, exceptRunId: null })).writes_applied).toBe(false);
    expect(await readEvents(store, { ...third.run, after: 2, limit: 1 })).toMatchObject([{ type: 'message.appended', payload: { text: 'Now read.' } }]);
    await end(third, 'failed');
    await expect(
      resumeRun(context, { projectId, actor: 'local', commandId: newId('cmd'), target: { sessionId }, dispatch: worker }),
    ).rejects.toMatchObject({ code: 'not_open' });
  });

  test('of a session that is not kept is gone with its messages', async () => {
    const holder = await submitAndClaim({ settings: { ...SETTINGS, resumable: false } });
    const { projectId, sessionId } = holder.run;
    await forgetHistory(store, { projectId, sessionId });
    expect(await readConversation(store, holder.run)).toHaveLength(1);
    await end(holder, 'paused');
    const log = await readEvents(store, { ...holder.run, after: 0, limit: 100 });
    await forgetHistory(store, { projectId, sessionId });
    expect(await readConversation(store, holder.run)).toEqual([]);
    expect(await readEvents(store, { ...holder.run, after: 0, limit: 100 })).toEqual(log);
    await expect(
      resumeRun(context, { projectId, actor: 'local', commandId: newId('cmd'), target: { sessionId }, dispatch: worker }),
    ).rejects.toMatchObject({ code: 'history_deleted' });
    const kept = await submitAndClaim();
    await end(kept, 'paused');
    await forgetHistory(store, kept.run);
    expect(await readConversation(store, kept.run)).toHaveLength(1);
  });
});

describe('the run list', () => {
  test('pages newest first without loss or repetition, and filters', async () => {
    const projectId = newId('prj');
    await store.rows(z.never(), "INSERT INTO project (id, name) VALUES ($1, 'list')", projectId);
    const made: RunId[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await submitTestRun(store, { projectId, task: `Task ${index} 100%_done` })).runId);
    await cancelRun(context, { projectId, commandId: newId('cmd'), actor: 'local', runId: made[3] as RunId });

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listRuns(store, { projectId, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      if (page === null) throw new Error('the cursor is its own');
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen)).toEqual(new Set(made));
    expect(seen).toHaveLength(7);

    const ids = async (filter: object) => (await listRuns(store, { projectId, ...filter }))?.items.map((item) => item.id);
    expect(await ids({ statuses: ['cancelled'] })).toEqual([made[3]]);
    expect(await ids({ q: 'task 5 100%_D' })).toEqual([made[5]]);
    expect(await ids({ q: '100__done' })).toEqual([]);
    expect(await ids({ since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await listRuns(store, { projectId, cursor: 'bm90IG9uZQ' })).toBeNull();
  });
});
