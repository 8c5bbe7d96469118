/**
 * The whole engine at many runs: one worker, the scripted model without delay, reads
 * as calls; counted are durable transitions, from the first run's start to the last
 * one's end. Everything a real run does except waiting for a model and changing files.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { submitRun } from '@/lib/commands/submit-run';
import { findPackageRoot } from '@/lib/config/package-root';
import { readEnvironment } from '@/lib/config/environment';
import { NO_LIMITS } from '@/lib/domain/run/settings';
import { openSystem, type System } from '@/lib/system';

const ROUNDS = 60;

export interface EngineResult {
  readonly runs: number;
  readonly transitions: number;
  readonly perSecond: number;
}

/** @param home a directory for workspaces, script and keys; the caller removes it. */
export async function measureEngine(url: string, home: string, runs: number): Promise<EngineResult> {
  const environment = {
    DATABASE_URL: url,
    PILOTHOUSE_DATA_DIR: path.join(home, 'engine'),
    PILOTHOUSE_RUNS_PER_WORKER: String(runs),
    PILOTHOUSE_WORKSPACE_ROOTS: home,
  };
  const configuration = readEnvironment(environment, { packageRoot: findPackageRoot(import.meta.url), cwd: home });
  const system = await openSystem({ configuration });
  const stop = new AbortController();
  try {
    await submitAll(system, home, runs);
    const worker = system.createWorker().run(stop.signal);
    const result = await untilAllEnded(system, runs);
    stop.abort();
    await worker;
    return result;
  } finally {
    await system.close();
  }
}

async function submitAll(system: System, home: string, runs: number): Promise<void> {
  const script = path.join(home, 'script.json');
  await writeFile(script, JSON.stringify(rounds()));
  for (let index = 0; index < runs; index += 1) {
    const directory = path.join(home, 'workspaces', `w${index}`);
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, 'notes.txt'), 'A line that is read.\n'.repeat(20));
    await submitRun(system.commands, {
      projectId: system.projectId,
      commandId: `bench-${process.pid}-${index}`,
      actor: 'local',
      task: 'Read the notes',
      workspace: { kind: 'directory', path: directory },
      settings: {
        model: `scripted:${script}`,
        access: 'read_write',
        policy: 'auto',
        unsandboxed: false,
        verifier: null,
        limits: NO_LIMITS,
        resumable: true,
      },
      dispatch: { kind: 'worker' },
    });
  }
}

function rounds(): unknown[] {
  const usage = { input_tokens: 1_200, output_tokens: 40, cached_tokens: 1_024 };
  const read = { text: 'I read on.', tool_calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }], usage };
  return [...Array.from({ length: ROUNDS }, () => read), { text: 'The notes hold twenty lines.', usage }];
}

const ended = z.object({ live: z.coerce.number(), failed: z.coerce.number(), transitions: z.coerce.number(), seconds: z.coerce.number().nullable() });
const SUMS = `
SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS live,
       count(*) FILTER (WHERE status NOT IN ('queued', 'running', 'succeeded'))::int AS failed,
       sum(version)::int AS transitions,
       extract(epoch FROM max(ended_at) - min(started_at))::float8 AS seconds
  FROM run
 WHERE project_id = $1 AND task_text = 'Read the notes'`;

async function untilAllEnded(system: System, runs: number): Promise<EngineResult> {
  for (;;) {
    const [sums] = await system.store.rows(ended, SUMS, system.projectId);
    if (sums !== undefined && sums.failed > 0) throw new Error('a run of the bench did not succeed');
    if (sums !== undefined && sums.live === 0 && sums.seconds !== null) {
      return { runs, transitions: sums.transitions, perSecond: Math.round(sums.transitions / sums.seconds) };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
