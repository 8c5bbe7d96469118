/** The command line with a control plane elsewhere: a real web server, a real worker, and a client that has no database. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion, completionChunks, sse } from '@/lib/testing/fake-openai-server';
import { completionOf, durable, eventsOf, killStarted, ofType, pilothouse, startPilothouse, type Ended, type Pilothouse } from './fixtures/pilothouse';
import type { Scene } from './fixtures/scene';
import { ADMIN_TOKEN, openWebStage, type WebStage } from './fixtures/web-stage';

let stage: WebStage;
/** Its endpoint answers all runs that name no script. */
let endpoint: Scene;
beforeAll(async () => {
  stage = await openWebStage();
  endpoint = await stage.stage.scene();
  const worker = startPilothouse(['worker'], { env: { ...endpoint.env, PILOTHOUSE_CANCEL_GRACE_SECONDS: '1' } });
  await worker.seen(/takes runs/);
}, 300_000);
afterAll(async () => {
  killStarted();
  await stage.close();
});

/** A machine that has nothing but an address and a token: what would open a database fails at once. */
const client = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  PILOTHOUSE_URL: stage.web().url,
  PILOTHOUSE_TOKEN: ADMIN_TOKEN,
  PILOTHOUSE_DATA_DIR: path.join(stage.stage.home, 'no-data'),
  DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
  ...more,
});
const remote = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> => pilothouse(args, { env: client(more), cwd: stage.stage.home });
const start = (args: readonly string[]): Pilothouse => startPilothouse(args, { env: client(), cwd: stage.stage.home });

function script(name: string, entries: readonly unknown[]): string {
  writeFileSync(path.join(stage.stage.home, `${name}.json`), JSON.stringify(entries));
  return `scripted:${name}.json`;
}
const writes = (name: string) => [
  { text: 'I write.', tool_calls: [{ name: 'write_file', arguments: { path: name, content: 'written\n' } }], usage: { input_tokens: 5, output_tokens: 2 } },
  { text: 'It is written.', usage: { input_tokens: 9, output_tokens: 3 } },
];
const stored = (runId: string | undefined) => stage.stage.query('SELECT seq::int, type, payload FROM run_event WHERE run_id = $1 ORDER BY seq', runId);
const printed = (ended: Pick<Ended, 'stdout'>) => durable(eventsOf(ended)).map(({ seq, type, payload }) => ({ seq, type, payload }));

describe('exec --url', { timeout: 240_000 }, () => {
  test('prints what is stored, streams pieces, works there, and repeats itself by its command id', async () => {
    const { workspace } = await stage.stage.scene();
    const args = ['exec', '--json', '--cwd', workspace, '--model', script('success', writes('a.txt')), '--max-cost-usd', '1', '--command-id', 'remote-1', 'write it'];
    const ended = await remote(args);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(completionOf(ended)).toMatchObject({ status: 'succeeded', writes_applied: true, final_text: 'It is written.', usage: { total_tokens: 19, cost_micro_usd: 0 } });
    expect(completionOf(ended)).not.toHaveProperty('session_id');
    expect(readFileSync(path.join(workspace, 'a.txt'), 'utf8')).toBe('written\n');
    const runId = eventsOf(ended)[0]?.run_id;
    expect(printed(ended)).toEqual(await stored(runId));

    const again = await remote(args);
    expect([again.code, printed(again)]).toEqual([0, printed(ended)]);
    const changed = await remote([...args.slice(0, -1), 'something else']);
    expect([changed.code, changed.stdout]).toEqual([64, '']);
    expect(existsSync(path.join(stage.stage.home, 'no-data'))).toBe(false);
  });

  test('in plain mode gives the answer alone on stdout; show, runs and doctor work from there', async () => {
    const { workspace } = await stage.stage.scene();
    const plain = await remote(['exec', '--url', stage.web().url, '--cwd', workspace, '--model', script('plain', writes('b.txt')), '--save-history', 'write it']);
    expect([plain.code, plain.stdout]).toEqual([0, 'It is written.\n']);
    expect(plain.stderr).toMatch(/I write\.\n✓ write_file b\.txt · done/);
    expect(plain.stderr).toMatch(/status +✓ succeeded \(exit 0\)/);
    const [, program = '', runId = ''] = /see it again: +(.*) show (run_\w+)/.exec(plain.stderr) ?? [];
    expect(program).toContain(`PILOTHOUSE_URL=${stage.web().url} `);
    const shown = await remote(['show', runId, '--json']);
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([0, { id: runId, status: 'succeeded', workspace }]);
    expect((await remote(['show', runId])).stdout).toMatch(/exec resume ses_/);
    expect((await remote(['runs', '--status', 'succeeded'])).stdout).toContain(runId);
    const cancelled = await remote(['cancel', runId]);
    expect([cancelled.code, cancelled.stdout]).toEqual([1, '']);
    expect(cancelled.stderr).toContain('succeeded');
    const doctor = await remote(['doctor']);
    expect([doctor.code, doctor.stdout]).toMatchObject([0, expect.stringMatching(/ok +token +is valid: .*admin/) as string]);
  });

  test('the sample succeeds; a verifier that fails is exit 2; a limit is exit 4, and a resume with a higher one goes on', async () => {
    const sample = await remote(['exec', '--json', '--sample']);
    expect([sample.code, completionOf(sample).verification.state]).toEqual([0, 'passed']);
    const { workspace } = await stage.stage.scene();
    const failed = await remote(['exec', '--json', '--unsandboxed', '--cwd', workspace, '--model', script('unverified', writes('c.txt')), '--verifier', 'exit 3', 'x']);
    expect(failed.code).toBe(2);
    expect(completionOf(failed)).toMatchObject({ status: 'verification_failed', terminal: { verification_failed: { exit_code: 3 } } });

    const limited = await remote(['exec', '--json', '--save-history', '--max-turns', '1', '--cwd', workspace, '--model', script('limited', writes('d.txt')), 'x']);
    expect([limited.code, completionOf(limited).terminal]).toMatchObject([4, { paused: { reason: 'limit', resumable: true } }]);
    const session = String(completionOf(limited).session_id);
    const resume = ['exec', 'resume', session, '--json', '--max-turns', '5', '--command-id', 'resume-1'];
    const resumed = await remote(resume);
    expect([resumed.code, completionOf(resumed)]).toMatchObject([0, { generation: 2, final_text: 'It is written.' }]);
    const repeated = await remote(resume);
    expect([repeated.code, printed(repeated)]).toEqual([0, printed(resumed)]);
    const closed = await remote(['exec', 'resume', session]);
    expect([closed.code, closed.stdout]).toEqual([64, '']);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s cancels the run there: session.completed is the last line, exit %i', async (signal, code) => {
    const { workspace } = await stage.stage.scene();
    endpoint.model.push({ ...sse(completionChunks({ text: 'I begin to say' }).slice(0, 2)), then: 'hang' as const });
    const child = start(['exec', '--json', '--cwd', workspace, '--model', 'fake', 'x']);
    await child.seen(/"type":"model\.delta"/);
    child.kill(signal);
    const ended = await child.ended;
    expect(ended.code).toBe(code);
    expect(completionOf(ended)).toMatchObject({ status: 'cancelled', exit_code: 130 });
    expect(printed(ended)).toEqual(await stored(eventsOf(ended)[0]?.run_id));
  });

  test('a web server that restarts in the middle costs nothing: every event once, in order', async () => {
    const { workspace } = await stage.stage.scene();
    const entries = Array.from({ length: 30 }, (_, index) => ({ tool_calls: [{ name: 'write_file', arguments: { path: `${index}.txt`, content: 'x' } }], delay_ms: 400 }));
    const child = start(['exec', '--json', '--cwd', workspace, '--model', script('long', [...entries, { text: 'Done.' }]), 'x']);
    await child.seen(/"type":"tool\.completed"/);
    await stage.restartWeb();
    const ended = await child.ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/it is tried again, and nothing is missed/);
    expect(printed(ended)).toEqual(await stored(eventsOf(ended)[0]?.run_id));
    expect(ofType(eventsOf(ended), 'tool.completed')).toHaveLength(30);
  });

  test('submit prints the run and does not wait for it; the same command id is the same run', async () => {
    const { workspace } = await stage.stage.scene();
    endpoint.model.push(completion({ text: 'Here I am.' }));
    const submitted = await remote(['submit', '--cwd', workspace, '--model', 'fake', '--command-id', 'submit-1', 'x']);
    expect([submitted.code, submitted.stderr]).toEqual([0, '']);
    expect(submitted.stdout).toMatch(/^run_\w+\n$/);
    const repeated = await remote(['submit', '--cwd', workspace, '--model', 'fake', '--command-id', 'submit-1', '--json', 'x']);
    expect((JSON.parse(repeated.stdout) as { id: string }).id).toBe(submitted.stdout.trim());
  });
});

describe('what stands against a call', { timeout: 240_000 }, () => {
  const listening: Server[] = [];
  afterAll(() => listening.forEach((server) => server.close()));
  const answering = (status: number, type: string, body: string): Promise<string> =>
    new Promise((resolve) => {
      const server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
      listening.push(server);
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
    });
  const RUN = 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV';

  test.each([
    ['a token that is none', ['exec', '--json', '--cwd', '/', '--token', 'secret-word', 'x'], 64, /does not accept the token/],
    ['a token that is none, for show', ['show', RUN, '--token', 'secret-word'], 64, /does not accept the token/],
    ['a token that cannot be sent', ['runs', '--token', 'secret-word\u0007ä'], 64, /no token has/],
    ['a directory that is not allowed', ['exec', '--cwd', '/usr', 'x'], 64, /--cwd is no directory under one/],
    ['a price that nobody knows', ['exec', '--cwd', '.', '--model', 'fake', '--max-cost-usd', '1', 'x'], 64, /price_unknown: --max-cost-usd/],
    ['an endpoint of ours', ['exec', '--base-url', 'http://x', 'x'], 64, /--base-url/],
    ['an empty task', ['exec', ' '], 64, /the task is empty/],
    ['a forged cursor', ['runs', '--cursor', 'forged'], 64, /--cursor/],
    ['a session that is not there', ['exec', 'resume', 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x'], 64, /no such/i],
    ['a run that is not there', ['show', RUN], 1, /there is no run/],
    ['a run that is not there, to cancel', ['cancel', RUN], 1, /there is no run/],
    ['a run that is not there, to resume', ['resume', RUN], 64, /no such/i],
    ['nobody who listens', ['exec', '--json', '--url', 'http://127.0.0.1:9', 'x'], 69, /127\.0\.0\.1:9 cannot be reached/],
  ])('%s', async (_what, args, code, why) => {
    const ended = await remote(args);
    expect(ended.stderr).toMatch(why);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).not.toMatch(/secret-word|an-admin-token/);
  });

  test('what answers, and is no control plane, is exit 69; so is one that cannot work', async () => {
    const servers = await Promise.all([
      answering(200, 'text/html', '<html>hello</html>'),
      answering(404, 'text/html', '<html>not here</html>'),
      answering(502, 'text/html', '<html>bad gateway</html>'),
      answering(503, 'application/problem+json', JSON.stringify({ title: 'The database cannot be reached', status: 503, code: 'database_unavailable' })),
    ]);
    const ended = await Promise.all(servers.map((url) => remote(['exec', '--json', '--url', url, 'x'])));
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual(servers.map(() => [69, '']));
    expect(ended[3]?.stderr).toContain('The database cannot be reached');
  });
});
