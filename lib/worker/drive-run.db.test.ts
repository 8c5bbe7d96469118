/**
 * One run in the hands of a process: stopped, cancelled, handed over, robbed (fault matrix B2–B7, B10, B12).
 * Longer than other files: all of it needs the same engine, database and fake model.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EphemeralEvent, ToolPort } from '@/lib/agent/ports';
import { cancelRun } from '@/lib/commands/cancel-run';
import { expireLeases } from '@/lib/commands/expire-leases';
import type { RunEvent } from '@/lib/domain/run/event';
import { openStore, type Store } from '@/lib/store/database';
import { readEvents } from '@/lib/store/read-events';
import { readOpenCalls } from '@/lib/store/read-open-calls';
import { readRun, type RunRef } from '@/lib/store/read-run';
import { StoreError } from '@/lib/store/store-error';
import { createToolPort } from '@/lib/tools/registry';
import { scratchDirectory } from '@/lib/tools/testing/scratch-directory';
import { calling, callTo, fakeModel, saying, streamingUntilAborted, type Answer } from '@/lib/testing/fake-model';
import { completed, fakeTools, type FakeTool } from '@/lib/testing/fake-tools';
import { newId, SETTINGS, submitTestRun } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { testEngine, type TestEngine, type TestEngineOptions } from '@/lib/testing/test-engine';
import { driveRun, type Drive, type Observer } from './drive-run';

let database: TestDatabase;
let store: Store;
const engines: TestEngine[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 4 });
});
afterEach(async () => {
  for (const engine of engines.splice(0)) {
    await engine.close();
    expect(engine.unexpected).toEqual([]);
  }
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

function engineWith(answers: readonly Answer[], options: Partial<Omit<TestEngineOptions, 'url'>> = {}) {
  const model = fakeModel(answers);
  const engine = testEngine({ url: database.url, modelFor: () => model, ...options });
  engines.push(engine);
  return { engine, model };
}

interface Watched {
  readonly drive: Drive;
  readonly ref: RunRef;
  readonly events: RunEvent[];
  readonly pieces: EphemeralEvent[];
  /** Types of events and pieces, in the order in which the watcher was told. */
  readonly heard: string[];
  /** Resolves with what is found in the pieces once it is there. */
  readonly found: <T>(look: (text: string) => T | undefined) => Promise<T>;
}

const directory = (path: string) => ({ kind: 'directory', path }) as const;

async function begin(engine: TestEngine, request: Parameters<typeof submitTestRun>[1] = {}): Promise<Watched> {
  const settings = { ...SETTINGS, access: 'read_write' as const, unsandboxed: true };
  await submitTestRun(store, { workspace: directory(`/srv/${newId('wsp')}`), settings, ...request });
  return takeOver(engine);
}

async function takeOver(engine: TestEngine): Promise<Watched> {
  const [claimed] = await engine.claim();
  if (claimed === undefined) throw new Error('nothing to claim');
  const events: RunEvent[] = [];
  const pieces: EphemeralEvent[] = [];
  const heard: string[] = [];
  let lookAgain = (): void => undefined;
  const found = <T>(look: (text: string) => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      lookAgain = () => {
        const value = look(pieces.map(({ payload }) => payload.text).join(''));
        if (value !== undefined) resolve(value);
      };
      lookAgain();
    });
  const observer: Observer = {
    seenSeq: 0,
    onEvents(some) {
      events.push(...some);
      heard.push(...typesOf(some));
    },
    onEphemeral(piece) {
      pieces.push(piece);
      heard.push(piece.type);
      lookAgain();
    },
  };
  return { drive: driveRun(engine, claimed, observer), ref: claimed, events, pieces, heard, found };
}

const cancel = (ref: RunRef): Promise<unknown> => cancelRun({ store, newId }, { ...ref, commandId: newId('cmd'), actor: 'local' });
const stored = (ref: RunRef): Promise<readonly RunEvent[]> => readEvents(store, { ...ref, after: 0, limit: 1_000 });
const statusOf = async (ref: RunRef): Promise<string | undefined> => (await readRun(store, ref))?.status;
const typesOf = (events: readonly RunEvent[]): string[] => events.map(({ type }) => type);
const payloadsOf = (events: readonly RunEvent[], type: string): unknown[] => events.filter((event) => event.type === type).map(({ payload }) => payload);

/** A promise and what resolves it. */
function signal(): { readonly came: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const came = new Promise<void>((resolve) => (give = resolve));
  return { came, give: () => give() };
}

const writing = (execute: FakeTool['execute']): ToolPort => fakeTools({ write: { effect: 'workspace', countsAsWrite: true, ...(execute === undefined ? {} : { execute }) } });

test('a run that nobody disturbs is driven to its end, and its watcher sees each stored event once, in order', async () => {
  const { engine } = engineWith([calling(callTo('write')), saying('Done.')], { tools: writing(() => completed('ok', { changedPaths: ['a'] })) });
  const { drive, ref, events } = await begin(engine);
  await drive.done;
  expect(await statusOf(ref)).toBe('succeeded');
  expect(events).toEqual(await stored(ref));
});

test('a run whose directory a worker may not work in fails before anything is asked or done', async () => {
  const asked: string[] = [];
  const mayWorkIn = async (directory: string) => {
    asked.push(directory);
    return false;
  };
  const { engine, model } = engineWith([saying('Done.')], { mayWorkIn });
  const { drive, ref } = await begin(engine, { workspace: directory('/srv/elsewhere') });
  await drive.done;
  expect([await statusOf(ref), asked, model.requests]).toEqual(['failed', ['/srv/elsewhere'], []]);
  expect(payloadsOf(await stored(ref), 'run.failed')).toMatchObject([{ class: 'runtime', code: 'workspace_unavailable' }]);
});

describe('a cancel from outside', () => {
  test('in the middle of a request ends the run within a second, usage unknown and nothing streamed after it', async () => {
    const begun = signal();
    const answering: Answer = async (request) => {
      const outcome = await streamingUntilAborted([{ kind: 'text', text: 'half an ' }], begun.give)(request);
      request.onDelta({ kind: 'text', text: 'answer' });
      return outcome;
    };
    const { engine } = engineWith([answering]);
    const { drive, ref, heard } = await begin(engine);
    await begun.came;
    const from = performance.now();
    await cancel(ref);
    drive.nudge();
    await drive.done;
    expect(performance.now() - from).toBeLessThan(1_000);
    const events = await stored(ref);
    expect(await statusOf(ref)).toBe('cancelled');
    expect(payloadsOf(events, 'usage.recorded')).toMatchObject([{ state: 'unknown', input_tokens: null }]);
    expect(payloadsOf(events, 'session.completed')).toMatchObject([{ status: 'cancelled', usage: { unknown_requests: 1 } }]);
    expect(heard.slice(heard.indexOf('run.cancelling'))).not.toContain('model.delta');
  });

  test('is heard by the heartbeat where the wake-up was lost', async () => {
    const begun = signal();
    const { engine } = engineWith([streamingUntilAborted([], begun.give)], { leaseSeconds: 3 });
    const { drive, ref } = await begin(engine);
    await begun.came;
    await cancel(ref);
    await drive.done;
    expect(await statusOf(ref)).toBe('cancelled');
  });

  test('in the middle of a command leaves no process alive, and the call is never completed', async () => {
    const root = scratchDirectory();
    const script = 'echo "pid $$"; sleep 1000 & wait';
    const { engine } = engineWith([calling(callTo('run_command', { command: script }))], {
      tools: (runner) => createToolPort({ runner }),
      sandbox: 'unsandboxed',
    });
    const { drive, ref, found } = await begin(engine, { workspace: directory(root) });
    const pid = await found((text) => /pid (\d+)\n/.exec(text)?.[1]);
    expect(isAlive(Number(pid))).toBe(true);
    await cancel(ref);
    drive.nudge();
    await drive.done;
    expect(isAlive(Number(pid))).toBe(false);
    const events = await stored(ref);
    expect(typesOf(events)).not.toContain('tool.completed');
    const outcomes = [...payloadsOf(events, 'tool.failed'), ...payloadsOf(events, 'tool.unknown')];
    expect(outcomes).toHaveLength(1);
    expect(await statusOf(ref)).toBe('cancelled');
  });

  test('that came between the claim and the loading makes no request', async () => {
    const { engine, model } = engineWith([]);
    await submitTestRun(store, { settings: SETTINGS });
    const [claimed] = await engine.claim();
    if (claimed === undefined) throw new Error('nothing to claim');
    await cancel(claimed);
    await driveRun(engine, claimed, { seenSeq: null, onEvents: () => undefined, onEphemeral: () => undefined }).done;
    expect(model.requests).toEqual([]);
    expect(await statusOf(claimed)).toBe('cancelled');
  });
});

describe('a worker that stops', () => {
  test('in the middle of a request puts the run back, usage unknown, and another goes on from there', async () => {
    const begun = signal();
    const first = engineWith([streamingUntilAborted([], begun.give)]);
    const { drive, ref } = await begin(first.engine);
    await begun.came;
    drive.release();
    await drive.done;
    expect(await statusOf(ref)).toBe('queued');
    expect(payloadsOf(await stored(ref), 'usage.recorded')).toMatchObject([{ state: 'unknown' }]);

    const second = engineWith([saying('Done.')]);
    const next = await takeOver(second.engine);
    expect(next.ref.runId).toBe(ref.runId);
    await next.drive.done;
    expect(await statusOf(ref)).toBe('succeeded');
    expect(payloadsOf(await stored(ref), 'run.started')).toMatchObject([{ lease_epoch: 1 }, { lease_epoch: 2 }]);
    // An aborted request is none of the script's: the second is asked for the same place.
    expect(second.model.requests[0]?.taskRequestIndex).toBe(0);
  });

  test('after the first of three calls leaves the others to the next, with their original arguments', async () => {
    const texts = ['token=ghp_0123456789abcdefghijABCDEFGHIJ456789', 'two', 'three'];
    const mine: string[] = [];
    const theirs: string[] = [];
    let drive: Drive | null = null;
    const first = engineWith([calling(...texts.map((text) => callTo('write', { text })))], {
      tools: writing((args) => {
        mine.push(JSON.stringify(args));
        drive?.release();
        return completed('ok', { changedPaths: ['a'] });
      }),
    });
    const taken = await begin(first.engine);
    drive = taken.drive;
    await taken.drive.done;
    expect(await statusOf(taken.ref)).toBe('queued');
    const open = await readOpenCalls(store, taken.ref);
    expect(open.map(({ status, sealed }) => [status, sealed !== null])).toEqual([['ready', true], ['ready', true]]);

    const second = engineWith([saying('Done.')], { tools: writing((args) => (theirs.push(JSON.stringify(args)), completed('ok'))) });
    await (await takeOver(second.engine)).drive.done;
    expect(mine).toEqual([JSON.stringify({ text: texts[0] })]);
    expect(theirs).toEqual([JSON.stringify({ text: 'two' }), JSON.stringify({ text: 'three' })]);
    const events = await stored(taken.ref);
    expect(payloadsOf(events, 'tool.completed')).toHaveLength(3);
    expect(JSON.stringify(events)).not.toContain('ghp_0123456789');
    expect(await readOpenCalls(store, taken.ref)).toEqual([]);
    expect(await statusOf(taken.ref)).toBe('succeeded');
  });

  test('does not hand sealed arguments to a worker with another key: those calls end as lost', async () => {
    let drive: Drive | null = null;
    const first = engineWith([calling(callTo('write'), callTo('write'))], { tools: writing(() => (drive?.release(), completed('ok', { changedPaths: ['a'] }))) });
    const taken = await begin(first.engine);
    drive = taken.drive;
    await taken.drive.done;
    const ledger: unknown[] = [];
    const second = engineWith([saying('Done.'), saying('Done.')], { tools: writing((args) => (ledger.push(args), completed('ok'))), key: Buffer.alloc(32, 9) });
    await (await takeOver(second.engine)).drive.done;
    expect(ledger).toEqual([]);
    expect(payloadsOf(await stored(taken.ref), 'tool.failed')).toMatchObject([{ code: 'arguments_lost' }]);
  });

  test('and is cancelled at the same time ends the run cancelled', async () => {
    const begun = signal();
    const { engine } = engineWith([streamingUntilAborted([], begun.give)]);
    const { drive, ref } = await begin(engine);
    await begun.came;
    await cancel(ref);
    drive.release();
    await drive.done;
    expect(await statusOf(ref)).toBe('cancelled');
  });
});

describe('a lease that is gone', () => {
  /** For longer than the tests take: what the thief has is not swept under them. */
  const STEAL = `
    UPDATE run SET lease_epoch = lease_epoch + 1, version = version + 1, lease_owner = 'thief',
                   lease_expires_at = statement_timestamp() + interval '1 h'
     WHERE id = $1`;
  const steal = (ref: RunRef): Promise<unknown> => store.rows(z.never(), STEAL, ref.runId);
  const expire = (ref: RunRef): Promise<unknown> =>
    store.rows(z.never(), "UPDATE run SET lease_expires_at = statement_timestamp() - interval '1 s' WHERE id = $1", ref.runId);

  test('stolen in the middle of an effect: the old holder writes nothing more and begins nothing more', async () => {
    const begun = signal();
    const ended = signal();
    const tools = fakeTools({ write: { effect: 'workspace', countsAsWrite: true, execute: async () => (begun.give(), await ended.came, completed('ok')) } });
    const { engine, model } = engineWith([calling(callTo('write'), callTo('write')), saying('Done.')], { tools });
    const { drive, ref } = await begin(engine);
    await begun.came;
    await steal(ref);
    const before = await stored(ref);
    ended.give();
    await drive.done;
    expect(await stored(ref)).toEqual(before);
    expect(tools.ledger).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  test('is told by the heartbeat, and the request in flight is aborted', async () => {
    const begun = signal();
    const { engine, model } = engineWith([streamingUntilAborted([], begun.give)], { leaseSeconds: 3 });
    const { drive, ref } = await begin(engine);
    await begun.came;
    await steal(ref);
    const before = await stored(ref);
    await drive.done;
    expect(model.requests[0]?.signal.aborted).toBe(true);
    expect(await stored(ref)).toEqual(before);
  });

  test('expired and swept in the middle of an effect: the call is unknown, and its late outcome changes nothing', async () => {
    const begun = signal();
    const ended = signal();
    const { engine } = engineWith([calling(callTo('write'))], { tools: writing(async () => (begun.give(), await ended.came, completed('ok'))) });
    const { drive, ref } = await begin(engine);
    await begun.came;
    await expire(ref);
    expect(await expireLeases({ store, newId })).toMatchObject([{ runId: ref.runId, status: 'interrupted', continuesAs: null }]);
    ended.give();
    await drive.done;
    expect(await statusOf(ref)).toBe('interrupted');
    const events = await stored(ref);
    expect(typesOf(events)).toContain('tool.unknown');
    expect(typesOf(events)).not.toContain('tool.completed');
  });
});

describe('connections that break', () => {
  const breakAll = (): Promise<unknown> =>
    store.rows(
      z.object({ ended: z.boolean() }),
      "SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );

  test('at every step of a run: it goes on under the same lease, each effect once', async () => {
    const tools = fakeTools({
      write: { effect: 'workspace', countsAsWrite: true, execute: async () => (await breakAll(), completed('ok', { changedPaths: ['a'] })) },
      look: { execute: async () => (await breakAll(), completed('seen')) },
    });
    const breaking = (answer: Answer): Answer => async (request) => (await breakAll(), typeof answer === 'function' ? answer(request) : answer);
    const { engine } = engineWith([calling(callTo('write'), callTo('look')), calling(callTo('write')), saying('Done.')].map(breaking), { tools });
    const { drive, ref, events } = await begin(engine);
    await drive.done;
    expect(await statusOf(ref)).toBe('succeeded');
    expect(tools.ledger).toHaveLength(3);
    expect(events).toEqual(await stored(ref));
    expect(payloadsOf(events, 'run.started')).toHaveLength(1);
  });

  /** Each reading of the run's driver fails the first time it is asked. */
  function answeringLate(engine: TestEngine): TestEngine & { readonly refusedReads: () => number } {
    const asked = new Set<string>();
    const rows: Store['rows'] = async (row, text, ...values) => {
      const key = JSON.stringify([text, values]);
      if (asked.has(key)) return engine.store.rows(row, text, ...values);
      asked.add(key);
      throw new StoreError('unavailable', null, null, null);
    };
    return { ...engine, store: { ...engine.store, rows }, refusedReads: () => asked.size };
  }

  test('under every reading: what is read is asked for again, and a look that fails loses no lease', async () => {
    const { engine } = engineWith([
      () => {
        drive?.nudge();
        return calling(callTo('look'));
      },
      saying('Done.'),
    ], { tools: fakeTools({ look: {} }) });
    const late = answeringLate(engine);
    let drive: Drive | null = null;
    const taken = await begin(late);
    drive = taken.drive;
    await taken.drive.done;
    expect(await statusOf(taken.ref)).toBe('succeeded');
    expect(late.refusedReads()).toBeGreaterThan(3);
  });

  test('while somebody looks whether the run was changed: the lease is not taken for lost', async () => {
    const { engine } = engineWith([
      async () => {
        await breakAll();
        drive?.nudge();
        return saying('Done.');
      },
    ]);
    let drive: Drive | null = null;
    const taken = await begin(engine);
    drive = taken.drive;
    await taken.drive.done;
    expect(await statusOf(taken.ref)).toBe('succeeded');
  });
});

test.each([
  ['a number that is none', '{"text": 1e999}'],
  ['a depth that no stack holds', `{"text": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ['half a pair', '{"text": "\\ud800"}'],
])('arguments with %s fail no more than their call', async (_what, args) => {
  const { engine } = engineWith([calling(callTo('write', args)), saying('Done.')], { tools: writing(() => completed('ok', { changedPaths: ['a'] })) });
  const { drive, ref } = await begin(engine);
  await drive.done;
  expect(await statusOf(ref)).toBe('succeeded');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
