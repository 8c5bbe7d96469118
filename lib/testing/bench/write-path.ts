/**
 * How many durable transitions a second, beside a raw `pg` loop in the same run:
 * `npm run bench`. Starts a database of its own, with durability on, and removes it.
 *
 * - raw: the fair floor. One prepared CTE a step over `pg` alone: fenced UPDATE of the
 *   run and INSERT of one small event, as many connections as runs.
 * - single: our `transition`, one statement and commit a step.
 * - group: the write path that the worker uses, where runs share statements.
 *
 * Ours carry what a real run writes: of four steps one is a model request, one its
 * response with usage, message and a proposed call, one the call's intent, one its
 * outcome with message and write count. Deciding and folding is part of the measured time.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { claimRuns } from '@/lib/store/claim-runs';
import { openStore, type Store } from '@/lib/store/database';
import { joinEmbeddedDatabase } from '@/lib/store/embedded/join';
import { createWritePath } from '@/lib/store/group-commit';
import { applyMigrations } from '@/lib/store/migrate/apply-migrations';
import { transition, type Transition, type TransitionResult } from '@/lib/store/transition';
import { measureEngine } from './engine';
import { measureLive } from './live';
import { modelResponded, newId, proposedCall, requestModel, submitTestRun, TestHolder } from '../run-builder';

const RUNS = [1, 16, 50] as const;
const WARM_UP_MS = 500;
const MEASURE_MS = 2_000;
/** Alternating, so that a busy moment of the machine does not hit one mode alone; the best counts. */
const ROUNDS = 3;

type Through = (one: Transition) => Promise<TransitionResult | undefined>;
/** Takes one step of its run. */
type Stepper = () => Promise<void>;

async function main(): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'pilothouse-bench-'));
  await chmod(home, 0o711); // the server's user may not be ours
  const database = await joinEmbeddedDatabase({ dataDirectory: path.join(home, 'data') });
  try {
    await applyMigrations(database.url);
    const raw = await measureAll(database.url);
    const engine = await measureEngine(database.url, home, 50);
    console.log(`\nthe whole engine, ${engine.runs} runs at once in one worker: ${engine.perSecond} steps/s, ${percent(engine.perSecond, raw)} of raw`);
    await measureLive(database.url, home);
  } finally {
    await database.leave();
    await rm(home, { recursive: true, force: true });
  }
}

/** @returns the raw loop's rate at the most runs. */
async function measureAll(url: string): Promise<number> {
  let raw = 0;
  console.log('durable steps a second (best of three, 2 s each)\n');
  console.log('  runs        raw     single   of raw      group   of raw');
  const store = openStore(url, { poolSize: 50 });
  try {
    for (const runs of RUNS) {
      const best = await measure(store, url, runs);
      raw = best.raw;
      const columns = [best.raw, best.single, percent(best.single, best.raw), best.group, percent(best.group, best.raw)];
      console.log([String(runs).padStart(6), ...columns.map((column) => column.toString().padStart(10))].join(' '));
    }
  } finally {
    await store.close();
  }
  return raw;
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

async function measure(store: Store, url: string, runs: number): Promise<{ raw: number; single: number; group: number }> {
  const pool = new pg.Pool({ connectionString: url, max: runs });
  const writePath = createWritePath(store);
  const best = { raw: 0, single: 0, group: 0 };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      best.raw = Math.max(best.raw, await rate((await holders(store, runs)).map((one) => rawStepper(pool, one))));
      const single: Through = async (one) => (await transition(store, [one]))[0];
      best.single = Math.max(best.single, await rate((await holders(store, runs)).map((one) => stepper(one, single))));
      best.group = Math.max(best.group, await rate((await holders(store, runs)).map((one) => stepper(one, writePath.transition))));
    }
  } finally {
    await writePath.idle();
    await pool.end();
  }
  return best;
}

async function holders(store: Store, runs: number): Promise<TestHolder[]> {
  for (let index = 0; index < runs; index += 1) await submitTestRun(store);
  const claimed = await claimRuns(store, { owner: 'bench', leaseSeconds: 3_600, limit: runs });
  return Promise.all(claimed.map((run) => TestHolder.of(store, run)));
}

async function rate(steppers: readonly Stepper[]): Promise<number> {
  let steps = 0;
  let measuring = false;
  let running = true;
  const loops = steppers.map(async (step) => {
    while (running) {
      await step();
      if (measuring) steps += 1;
    }
  });
  await sleep(WARM_UP_MS);
  measuring = true;
  const started = performance.now();
  await sleep(MEASURE_MS);
  measuring = false;
  const seconds = (performance.now() - started) / 1_000;
  running = false;
  await Promise.all(loops);
  return Math.round(steps / seconds);
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Rounds of a run that edits: the state stays as long as a real one's, since calls end. */
function stepper(holder: TestHolder, through: Through): Stepper {
  const apply = async (...input: Parameters<TestHolder['prepare']>): Promise<void> => {
    const result = await holder.apply(input[0], through, input[1]);
    if (result.kind !== 'committed') throw new Error(`a step was ${result.kind}`);
  };
  let requestId = newId('req');
  let call = proposedCall('edit', 'workspace', true);
  const steps: Stepper[] = [
    async () => {
      requestId = newId('req');
      await apply(requestModel(requestId));
    },
    async () => {
      call = proposedCall('edit', 'workspace', true);
      const sealed = new Map([[call.callId, { bytes: Buffer.alloc(120, 7), inputHash: 'f'.repeat(64) }]]);
      await apply(modelResponded(requestId, 'I mend the next part of the roof. '.repeat(6), [call]), sealed);
    },
    () => apply({ type: 'start_call', callId: call.callId }),
    () =>
      apply({
        type: 'end_call',
        callId: call.callId,
        outcome: { kind: 'completed', output: 'The file roof.txt was changed. '.repeat(10), truncated: false, changedPaths: ['roof.txt'] },
      }),
  ];
  let next = 0;
  return () => (steps[next++ % steps.length] ?? steps[0])?.() ?? Promise.resolve();
}

const RAW = `
WITH moved AS (
  UPDATE run SET version = version + 1, last_seq = last_seq + 1, nonce = $4
   WHERE id = $1 AND lease_epoch = $2 AND version = $3
  RETURNING id, project_id, last_seq
)
INSERT INTO run_event (run_id, seq, project_id, type, payload)
SELECT id, last_seq, project_id, 'model.requested', $5::jsonb FROM moved`;

function rawStepper(pool: pg.Pool, { run }: TestHolder): Stepper {
  let { version } = run;
  const payload = JSON.stringify({ request_id: newId('req'), purpose: 'round', model: 'scripted', attempt: 1 });
  return async () => {
    const { rowCount } = await pool.query({ name: 'raw', text: RAW, values: [run.runId, run.leaseEpoch, version, randomUUID(), payload] });
    if (rowCount !== 1) throw new Error('a raw step changed nothing');
    version += 1;
  };
}

await main();
