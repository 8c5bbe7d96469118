/** What is wrong with a call, a machine or a provider: the exit code, one clear line, and JSON on stdout or nothing. */
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion, completionChunks, httpError, raw, sse } from '@/lib/testing/fake-openai-server';
import { completionOf, eventsOf, killStarted, ofType } from './fixtures/pilothouse';
import { openStage, type Scene, type Stage } from './fixtures/scene';

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await openStage({ PILOTHOUSE_MODEL_RETRIES: '1' });
  scene = await stage.scene({ 'file.txt': '' });
});
afterAll(async () => {
  killStarted();
  await stage.close();
});

describe('a wrong call', { timeout: 240_000, concurrent: true }, () => {
  test.each([
    [['exec', ''], /the task is empty/],
    [['exec', ' \n\u200B'], /the task is empty/],
    [['exec'], /the task is missing/],
    [['exec', 'two', 'words'], /too many arguments/],
    [['exec', '--frobnicate', 'x'], /unknown option '--frobnicate'/],
    [['exec', '--max-turns', '0', 'x'], /whole number/],
    [['exec', '--max-turns', '1.5', 'x'], /whole number/],
    [['exec', '--max-tokens', '-5', 'x'], /whole number/],
    [['exec', '--max-tool-calls', 'NaN', 'x'], /whole number/],
    [['exec', '--max-cost-usd', '1e99', 'x'], /USD/],
    [['exec', '--max-wall-seconds', '0', 'x'], /seconds/],
    [['exec', '--max-cost-usd', '1', 'x'], /price_unknown/],
    [['exec', '--policy', 'never', 'x'], /Allowed choices are auto, ask, read-only/],
    [['exec', '--cwd', 'missing', 'x'], /--cwd missing does not exist/],
    [['exec', '--cwd', 'file.txt', 'x'], /is not a directory/],
    [['exec', '--base-url', 'ftp://x', 'x'], /http/],
    [['exec', '--verifier', ' ', 'x'], /--verifier is empty/],
    [['exec', '--model', 'scripted:none.json', 'x'], /cannot be read/],
    [['exec', '--workflow', 'w.yaml', 'x'], /--workflow is not available yet/],
    [['exec', '--url', 'http://x', 'x'], /there is no token for http:\/\/x/],
    [['exec', '--token', 'secret-word', 'x'], /--token is given without --url/],
    [['exec', '--sample', 'x'], /--sample brings its own task/],
    [['exec', 'resume', 'run_1'], /is not a session id/],
    [['exec', 'resume', 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV'], /there is no session/],
    [['exec', 'resume', 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV', ''], /the message is empty/],
    [['resume', 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV'], /there is no run/],
    [['pause', 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV'], /not available yet/],
    [['drill', '--model', 'x'], /not available yet/],
    [['runs', '--status', 'done'], /must be one of/],
    [['runs', '--cursor', 'forged'], /--cursor/],
    [['frob'], /unknown command 'frob'/],
    [[], /Usage: pilothouse/],
  ])('%j is exit 64, says why on stderr, and nothing on stdout', async (args, why) => {
    const ended = await scene.run(args);
    expect(ended.stderr).toMatch(why);
    expect([ended.code, ended.stdout]).toEqual([64, '']);
    if (args.length > 0) expect(ended.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  });

  test.each([
    ['no model at all', { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', PILOTHOUSE_MODEL: '' }, /no model is configured\n.*OPENAI_API_KEY.*--sample/],
    ['an endpoint without a name', { PILOTHOUSE_MODEL: '' }, /no model is named/],
    ['a bad variable', { PILOTHOUSE_LEASE_SECONDS: 'soon' }, /PILOTHOUSE_LEASE_SECONDS must be/],
    ['a control plane elsewhere without a token', { PILOTHOUSE_URL: 'http://localhost:1' }, /there is no token/],
  ])('%s is exit 64', async (_what, env, why) => {
    const ended = await scene.run(['exec', '--json', 'x'], env);
    expect(ended.stderr).toMatch(why);
    expect([ended.code, ended.stdout]).toEqual([64, '']);
  });

  test('a directory where workers may not work is exit 64 for submit, and no obstacle for exec', async () => {
    const own = await stage.scene();
    own.model.always(completion({ text: 'Done.' }));
    const elsewhere = { PILOTHOUSE_WORKSPACE_ROOTS: '/usr' };
    const submitted = await own.run(['submit', 'x'], elsewhere);
    expect([submitted.code, submitted.stdout]).toEqual([64, '']);
    expect(submitted.stderr).toMatch(/lies in no directory in which workers may work \(\/usr\)/);
    expect((await own.run(['exec', 'x'], elsewhere)).code).toBe(0);
  });

  test('a run that is not there is exit 1', async () => {
    for (const verb of ['show', 'cancel']) {
      const ended = await scene.run([verb, 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV']);
      expect([ended.code, ended.stdout]).toEqual([1, '']);
      expect(ended.stderr).not.toBe('');
    }
  });

  test('help is for stdout, exit 0, and names what is not available yet', async () => {
    const help = await scene.run(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(/reconcile .*\(not available yet\)/);
    expect((await scene.run(['exec', '--help'])).stdout).toContain('--max-cost-usd');
    expect((await scene.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a database that cannot be reached', { timeout: 240_000, concurrent: true }, () => {
  test.each([['exec', '--json', 'x'], ['runs'], ['show', 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV'], ['worker']])('is exit 69 for %s', async (...args) => {
    const ended = await scene.run(args, { DATABASE_URL: 'postgresql://nobody:secret-word@127.0.0.1:9/none' });
    expect([ended.code, ended.stdout]).toEqual([69, '']);
    expect(ended.stderr).toMatch(/127\.0\.0\.1:9.*cannot be reached/);
    expect(ended.stderr).not.toContain('secret-word');
  });

  test('is what doctor says, with what to do, exit 1', async () => {
    const ended = await scene.run(['doctor'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/missing +database .*cannot be reached.*DATABASE_URL/);
  });
});

describe('a provider that fails', { timeout: 240_000, concurrent: true }, () => {
  test('401 ends the run after one request: exit 1, class provider', async () => {
    const own = await stage.scene();
    own.model.always(httpError(401, { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' }));
    const ended = await own.exec('x');
    expect(ended.code).toBe(1);
    expect(completionOf(ended).terminal).toMatchObject({ failed: { class: 'provider', code: 'auth' } });
    expect(own.model.requests).toHaveLength(1);
  });

  test('429 twice, then an answer: exit 0, each attempt in the log', async () => {
    const own = await stage.scene();
    const limited = httpError(429, { message: 'Slow down', type: 'rate_limit', code: 'rate_limit_exceeded' }, { 'retry-after-ms': '20', 'retry-after': '0' });
    own.model.push(limited, limited, completion({ text: 'Here.' }));
    const ended = await own.run(['exec', '--json', 'x'], { PILOTHOUSE_MODEL_RETRIES: '3' });
    expect(ended.code).toBe(0);
    expect(ofType(eventsOf(ended), 'model.requested').map(({ payload }) => payload['attempt'])).toEqual([1, 2, 3]);
    expect(ofType(eventsOf(ended), 'model.failed').map(({ payload }) => payload['class'])).toEqual(['rate', 'rate']);
    expect(completionOf(ended).usage).toMatchObject({ total_tokens: 110, unknown_requests: 2 });
  });

  const chunks = completionChunks({ text: 'half an answer', calls: [{ name: 'write_file', arguments: { path: 'never.txt', content: 'x' } }] });
  test.each([
    ['500s', httpError(500, { message: 'boom' })],
    ['HTML', raw('<html><body>Bad gateway</body></html>', 'text/html')],
    ['broken JSON in the stream', raw('data: {"choices": [\n\ndata: nonsense\n\n', 'text/event-stream')],
    ['a stream that is cut', { ...sse(chunks.slice(0, 4)), then: 'cut' as const }],
    ['a stream without an end', sse(chunks.slice(0, 4))],
    ['an error inside a 200', sse([...chunks.slice(0, 2), { error: { message: 'overloaded', code: 'overloaded' } }])],
    ['a socket that closes at once', { body: [], refuse: true }],
  ])('%s: every line is JSON, no call runs, the end is true', async (_what, answer) => {
    const own = await stage.scene();
    own.model.always(answer);
    const ended = await own.exec('x');
    const last = completionOf(ended);
    expect(ended.code).toBe(last.exit_code);
    expect([1, 4]).toContain(ended.code);
    expect(last).toMatchObject({ writes_applied: false, done: { delivered: 'no' } });
    expect(ofType(eventsOf(ended), 'tool.started')).toEqual([]);
  });

  test('an answer without anything visible is tried once more, then the run pauses', async () => {
    const own = await stage.scene();
    own.model.always(completion({ reasoning: 'I think and think.' }));
    const ended = await own.exec('x');
    expect(ended.code).toBe(4);
    expect(completionOf(ended).terminal).toMatchObject({ paused: { reason: 'empty_response' } });
    expect(own.model.requests).toHaveLength(2);
  });

  test('NUL, lone surrogates and escape codes of a model are stored and printed as JSON', async () => {
    const own = await stage.scene();
    own.model.push(
      raw(
        'data: {"choices":[{"index":0,"delta":{"content":"a\\u0000b \\ud800 c \\u001b[31m \\u2028 end"},"finish_reason":null}]}\n\n' +
          'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\n' +
          'data: [DONE]\n\n',
        'text/event-stream',
      ),
    );
    const ended = await own.exec('x');
    expect(ended.code).toBe(0);
    expect(completionOf(ended).final_text).toBe('a\uFFFDb \uFFFD c \u001B[31m \u2028 end');
    expect(ended.stdout).not.toContain('\u001B');
  });
});

describe('stdout that is closed or full', { timeout: 240_000, concurrent: true }, () => {
  test('a reader that goes away after the first line: the run goes on to its true end', async () => {
    const own = await stage.scene();
    for (let round = 0; round < 5; round += 1) own.model.push(completion({ text: 'word '.repeat(20_000), calls: [{ name: 'list_files', arguments: { path: '.' } }] }));
    own.model.push(completion({ calls: [{ name: 'write_file', arguments: { path: 'end.txt', content: 'reached' } }] }), completion({ text: 'Done.' }));
    const child = own.start(['exec', '--json', 'x']);
    child.child.stdout?.once('data', () => child.child.stdout?.destroy());
    const ended = await child.ended;
    expect([ended.code, ended.signal]).toEqual([0, null]);
    expect(ended.stderr).toBe('');
    expect(own.model.unused()).toBe(0);
  });
});

test('doctor says what is there, prints no key, and asks the endpoint only when told to', { timeout: 240_000 }, async () => {
  const own = await stage.scene();
  own.model.always(raw('{"data":[]}', 'application/json'));
  const plain = await own.run(['doctor']);
  expect(plain.code).toBe(0);
  expect(plain.stdout).toMatch(/ok +database +DATABASE_URL: PostgreSQL \d+.*, \d+ migrations applied/);
  expect(plain.stdout).toMatch(/ok +model +fake at http:\/\/127\.0\.0\.1/);
  expect(plain.stdout + plain.stderr).not.toContain(stage.env['OPENAI_API_KEY']);
  expect(own.model.requests).toHaveLength(0);
  const asked = await own.run(['doctor', '--ping', '--json']);
  expect(JSON.parse(asked.stdout)).toMatchObject({ ok: true });
  expect(own.model.requests.map((request) => request.path)).toEqual(['/v1/models']);
  const data = path.join(stage.home, 'not-a-directory');
  mkdirSync(path.dirname(data), { recursive: true });
  writeFileSync(data, '');
  closeSync(openSync(data, 'r'));
  const refused = await own.run(['doctor'], { PILOTHOUSE_DATA_DIR: data });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/missing +data/);
});
