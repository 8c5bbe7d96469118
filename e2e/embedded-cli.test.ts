/** The command line with nothing configured at all: no database, no key; the embedded server and the sample task. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDirectory, type DataDirectory } from './fixtures/data-directory';
import { completionOf, killStarted, pilothouse, plainEnvironment, startPilothouse } from './fixtures/pilothouse';

let data: DataDirectory;
let here: string;
beforeAll(() => {
  data = makeDataDirectory();
  here = realpathSync(mkdtempSync(path.join(tmpdir(), 'pilothouse-here-')));
});
afterAll(async () => {
  killStarted();
  await data.remove();
  rmSync(here, { recursive: true, force: true });
});

const options = () => ({ cwd: here, env: { PILOTHOUSE_DATA_DIR: data.path, PILOTHOUSE_LEASE_SECONDS: '3' } });
const run = (...args: readonly string[]) => pilothouse(args, options());

describe('on a machine without a database and without a key', { timeout: 180_000 }, () => {
  test('exec --sample mends the failing test of a fresh copy, and the server ends with its last user', async () => {
    const ended = await run('exec', '--sample', '--json');
    expect(ended.code).toBe(0);
    expect(completionOf(ended)).toMatchObject({
      status: 'succeeded',
      writes_applied: true,
      verification: { state: 'passed', command: 'node --test' },
      done: { work: 'yes', verified: 'passed', delivered: 'yes' },
    });
    const [, workspace = ''] = /the sample repository is (.*)/.exec(ended.stderr) ?? [];
    expect(path.dirname(workspace)).toBe(realpathSync(path.join(data.path, 'workspaces')));
    // Not inside another test runner's context.
    execFileSync(process.execPath, ['--test'], { cwd: workspace, env: plainEnvironment() });
    expect(await data.serverPid()).toBeNull();

    const doctor = await run('doctor');
    expect(doctor.code).toBe(0);
    expect(doctor.stdout).toMatch(/ok +database +embedded: PostgreSQL/);
    expect(doctor.stdout).toMatch(/warn +model +none is configured/);
  });

  test('several at once share the server: each says how its own run ended, and it is gone afterwards', async () => {
    const script = path.join(data.path, '..', 'pause.json');
    execFileSync('tee', [script], { input: JSON.stringify([{ text: 'Done.', delay_ms: 300, usage: { input_tokens: 1, output_tokens: 1 } }]) });
    const both = await Promise.all([1, 2].map((number) => run('exec', '--json', '--read-only', '--model', `scripted:${script}`, `task ${number}`)));
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([[0, ''], [0, '']]);
    const listed = await run('runs', '--json');
    expect((JSON.parse(listed.stdout) as { items: unknown[] }).items).toHaveLength(3);
    expect(await data.serverPid()).toBeNull();
  });

  test('after a killed exec the next verb finds its run interrupted', async () => {
    const script = path.join(data.path, '..', 'long.json');
    execFileSync('tee', [script], { input: JSON.stringify([{ text: 'Never said.', delay_ms: 600_000 }]) });
    const child = startPilothouse(['exec', '--json', '--model', `scripted:${script}`, 'x'], options());
    const [, runId = ''] = await child.seen(/"run_id":"(run_\w+)".*"type":"model\.requested"/);
    child.kill('SIGKILL');
    await child.ended;
    const status = async () => (JSON.parse((await run('show', runId, '--json')).stdout) as { status: string }).status;
    await expect.poll(status, { timeout: 20_000, interval: 500 }).toBe('interrupted');
    expect(await data.serverPid()).toBeNull();
  });
});
