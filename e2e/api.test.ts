/** The API over HTTP, against the built server: who may what, what comes twice, what is malformed, what is elsewhere. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '@/lib/domain/role';
import { startWeb } from '@/lib/testing/web-server';
import { ADMIN_TOKEN, clientOf, openWebStage, type Answer, type Client, type WebStage } from './fixtures/web-stage';

let stage: WebStage;
let admin: Client;
let workspace: string;
const clients = new Map<Role, Client>();
const as = (role: Role): Client => {
  const client = clients.get(role);
  if (client === undefined) throw new Error(`no client is ${role}`);
  return client;
};
beforeAll(async () => {
  stage = await openWebStage();
  admin = clientOf(() => stage.web().url, ADMIN_TOKEN);
  for (const role of ROLES) clients.set(role, await stage.client(role));
  workspace = (await stage.stage.scene({ 'file.txt': 'x' })).workspace;
}, 300_000);
afterAll(() => stage.close());

const submission = (more: Record<string, unknown> = {}) => ({ task: 'do it', workspace, model: 'fake', ...more });
const submit = async (client: Client, more: Record<string, unknown> = {}) => {
  const answer = await client.post('/api/v1/runs', submission(more));
  expect(answer).toMatchObject({ status: 201 });
  return { runId: String(answer.body['id']), sessionId: String(answer.body['session_id']) };
};

describe('the same command', () => {
  test('twenty times at once makes one run; with other input it is refused; and so after a restart', async () => {
    const headers = { 'idempotency-key': 'the-same-command' };
    const send = (task: string) => as('member').post('/api/v1/runs', submission({ task }), headers);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('once')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await stage.stage.query("SELECT id FROM run WHERE task_text = 'once'")).toHaveLength(1);
    expect(await send('another')).toMatchObject({ status: 409, body: { code: 'command_reused', current: { command_id: 'the-same-command' } } });
    await stage.restartWeb();
    expect(await send('once')).toMatchObject({ status: 200, body: { id: answers[0]?.body['id'] } });
    expect(await send('another')).toMatchObject({ status: 409 });
    expect(await stage.stage.query('SELECT 1 FROM audit_entry WHERE action = $1 AND target = $2', 'submit', answers[0]?.body['id'])).toHaveLength(1);
  }, 120_000);
});

describe('roles', () => {
  test('decide who may what, each including the one before', async () => {
    const { runId, sessionId } = await submit(as('engineer'));
    const nothing = 'run_01HZX0000000000000000000AB';
    const table: readonly (readonly [Role, string, string, unknown])[] = [
      ['viewer', 'GET', '/api/v1/runs', undefined],
      ['viewer', 'GET', `/api/v1/runs/${runId}`, undefined],
      ['viewer', 'GET', `/api/v1/runs/${runId}/events`, undefined],
      ['viewer', 'GET', `/api/v1/runs/${runId}/tasks`, undefined],
      ['viewer', 'GET', `/api/v1/runs/${runId}/diff`, undefined],
      ['viewer', 'GET', `/api/v1/sessions/${sessionId}`, undefined],
      ['viewer', 'GET', `/api/v1/sessions/${sessionId}/export`, undefined],
      ['viewer', 'GET', '/api/v1/usage?group_by=model', undefined],
      ['viewer', 'GET', '/api/v1/members', undefined],
      ['viewer', 'GET', '/api/v1/tokens', undefined],
      ['member', 'POST', '/api/v1/runs', {}],
      ['member', 'POST', `/api/v1/runs/${nothing}/cancel`, undefined],
      ['member', 'POST', `/api/v1/runs/${nothing}/resume`, undefined],
      ['member', 'POST', `/api/v1/sessions/${sessionId}/turns`, {}],
      ['admin', 'POST', '/api/v1/members', {}],
      ['admin', 'PATCH', `/api/v1/members/${as('viewer').userId}`, {}],
      ['admin', 'DELETE', '/api/v1/members/usr_01HZX0000000000000000000AB', undefined],
    ];
    for (const [needed, method, path, body] of table) {
      for (const [rank, role] of ROLES.entries()) {
        const { status } = await as(role).send(method, path, body);
        const may = rank >= ROLES.indexOf(needed);
        // Allowed, and then refused for what it asks: 400 or 404. Never 5xx.
        expect([role, method, path, may ? [200, 400, 404].includes(status) : status]).toEqual([role, method, path, may ? true : 403]);
      }
      expect((await clientOf(() => stage.web().url, 'not a token of anybody').send(method, path, body)).status).toBe(401);
    }
  }, 60_000);

  test('a member cancels what they submitted; an engineer anything', async () => {
    const own = await submit(as('member'));
    const others = await submit(as('engineer'));
    expect(await as('member').post(`/api/v1/runs/${others.runId}/cancel`)).toMatchObject({ status: 403 });
    expect(await as('member').post(`/api/v1/runs/${own.runId}/cancel`)).toMatchObject({ status: 202, body: { status: 'cancelled', exit_code: 130 } });
    expect(await as('engineer').post(`/api/v1/runs/${own.runId}/cancel`)).toMatchObject({ status: 409, body: { code: 'run_ended', current: { status: 'cancelled' } } });
    expect(await as('manager').post(`/api/v1/runs/${others.runId}/cancel`)).toMatchObject({ status: 202 });
  });

  test('a token is never more than its maker, and is worth nothing once revoked', async () => {
    expect(await as('member').post('/api/v1/tokens', { name: 'too much', role: 'engineer' })).toMatchObject({ status: 403 });
    const made = await as('member').post('/api/v1/tokens', { name: 'ci', role: 'viewer', expires_at: '2199-01-01T00:00:00Z' }, { 'idempotency-key': 'make-ci' });
    expect(made).toMatchObject({ status: 201, body: { name: 'ci', role: 'viewer', token: expect.stringMatching(/^ph_[A-Za-z0-9_-]{43}$/) as string } });
    expect(await as('member').post('/api/v1/tokens', { name: 'ci', role: 'viewer', expires_at: '2199-01-01T00:00:00Z' }, { 'idempotency-key': 'make-ci' })).toMatchObject({
      status: 200,
      body: { id: made.body['id'], token: null },
    });
    const ci = clientOf(() => stage.web().url, String(made.body['token']));
    expect(await ci.get('/api/v1/me')).toMatchObject({ status: 200, body: { role: 'viewer', via: 'token' } });
    expect((await as('engineer').send('DELETE', `/api/v1/tokens/${String(made.body['id'])}`)).status).toBe(404);
    expect((await as('member').send('DELETE', `/api/v1/tokens/${String(made.body['id'])}`)).status).toBe(204);
    expect((await ci.get('/api/v1/me')).status).toBe(401);
    const rows = await stage.stage.query("SELECT * FROM api_token t, audit_entry a, command c WHERE t.name = 'ci'");
    expect(JSON.stringify(rows)).not.toContain(String(made.body['token']));
  });

  test('people are invited once, change roles at once, and a project keeps an admin', async () => {
    const invited = await admin.post('/api/v1/members', { email: ' New.One@Example.org ', role: 'member' });
    expect(invited).toMatchObject({ status: 201, body: { email: 'new.one@example.org', role: 'member', can_sign_in: false, sign_in_path: expect.stringMatching(/^\/sign-in\/link\?token=/) as string } });
    expect(await admin.post('/api/v1/members', { email: 'new.one@example.org' })).toMatchObject({ status: 409, body: { code: 'already_member' } });
    const id = String(invited.body['id']);
    expect(await admin.send('PATCH', `/api/v1/members/${id}`, { role: 'engineer' })).toMatchObject({ status: 200, body: { role: 'engineer' } });
    expect((await admin.send('DELETE', `/api/v1/members/${id}`)).status).toBe(204);
    expect((await admin.send('DELETE', `/api/v1/members/${id}`)).status).toBe(404);

    const alone = await stage.client('admin', await stage.newProject());
    expect(await alone.send('PATCH', `/api/v1/members/${alone.userId}`, { role: 'member' })).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect(await alone.send('DELETE', `/api/v1/members/${alone.userId}`)).toMatchObject({ status: 409 });

    const demoted = await stage.client('admin');
    await admin.send('PATCH', `/api/v1/members/${demoted.userId}`, { role: 'viewer' });
    expect((await demoted.post('/api/v1/runs', submission())).status).toBe(403);
  });
});

test("another project's things are nowhere, by every route", async () => {
  const other = await stage.client('admin', await stage.newProject());
  const { runId, sessionId } = await submit(other);
  const tokens = await other.get('/api/v1/tokens');
  const routes: readonly (readonly [string, string, unknown?])[] = [
    ['GET', `/api/v1/runs/${runId}`],
    ['GET', `/api/v1/runs/${runId}/events`],
    ['GET', `/api/v1/runs/${runId}/tasks`],
    ['GET', `/api/v1/runs/${runId}/diff`],
    ['POST', `/api/v1/runs/${runId}/cancel`],
    ['POST', `/api/v1/runs/${runId}/resume`],
    ['GET', `/api/v1/sessions/${sessionId}`],
    ['GET', `/api/v1/sessions/${sessionId}/export`],
    ['POST', `/api/v1/sessions/${sessionId}/turns`, { text: 'hello' }],
    ['DELETE', `/api/v1/tokens/${String(tokens.body.items[0]?.['id'])}`],
    ['GET', `/api/v1/members/${other.userId}`],
    ['PATCH', `/api/v1/members/${other.userId}`, { role: 'viewer' }],
    ['DELETE', `/api/v1/members/${other.userId}`],
  ];
  for (const [method, path, body] of routes) expect([method, path, (await admin.send(method, path, body)).status]).toEqual([method, path, 404]);
  expect((await admin.get(`/api/v1/runs/${runId}/events`, { accept: 'text/event-stream' })).status).toBe(404);
  expect((await admin.get(`/api/v1/runs?project=${await otherProject(other)}`)).status).toBe(404);
  expect(JSON.stringify((await admin.get('/api/v1/runs?limit=200')).body)).not.toContain(runId);
  expect(await other.get(`/api/v1/runs/${runId}`)).toMatchObject({ status: 200, body: { status: 'queued' } });
});
const otherProject = async (client: Client): Promise<string> => String((await client.get('/api/v1/me')).body['project']);

describe('what is malformed', () => {
  test('is 4xx or cleaned in every text field, never 5xx, and leaves nothing half stored', async () => {
    const dirty = 'a\u0000b\ud800c\udfff';
    const paths: readonly (readonly [string, string, Record<string, unknown>])[] = [
      ...['task', 'workspace', 'model', 'verifier', 'access', 'policy', 'profile', 'workflow'].map((field) => ['POST', '/api/v1/runs', submission({ [field]: dirty })] as const),
      ['POST', '/api/v1/runs', submission({ workspace: { git: dirty } })],
      ['POST', '/api/v1/runs', submission({ workspace: { git: workspace, ref: dirty } })],
      ['POST', '/api/v1/runs', submission({ [dirty]: dirty })],
      ['POST', '/api/v1/tokens', { name: dirty, role: 'viewer' }],
      ['POST', '/api/v1/members', { email: dirty }],
      ['POST', '/api/v1/members', { email: 'dirty@example.org', name: dirty }],
      ['PATCH', `/api/v1/members/${as('viewer').userId}`, { role: dirty }],
    ];
    for (const [method, path, body] of paths) {
      // As escapes: JSON.stringify makes well-formed text of lone surrogates.
      const answer = await admin.send(method, path, JSON.stringify(body));
      expect([JSON.stringify(body), answer.status < 500]).toEqual([JSON.stringify(body), true]);
      expect(answer.text).not.toMatch(/\\u0000|\\ud800/);
    }
    const session = await submit(admin);
    await admin.post(`/api/v1/runs/${session.runId}/cancel`);
    expect(await admin.post(`/api/v1/sessions/${session.sessionId}/turns`, '{"text":"x\\u0000y\\ud800"}')).toMatchObject({ status: 201, body: { task: 'x\uFFFDy\uFFFD' } });
    for (const query of ['q=%00', 'q=%ED%A0%80', 'cursor=%00', 'cursor=AAAA', 'limit=0', 'limit=x', 'status=nonsense', 'since=yesterday', 'children=maybe', 'session=x', 'project=%00']) {
      expect([query, (await admin.get(`/api/v1/runs?${query}`)).status < 500]).toEqual([query, true]);
    }
    const { runId } = session;
    for (const query of ['after=-1', 'after=x', 'after=99999999999999999999', 'limit=1e9', 'after=%00']) {
      expect([query, (await admin.get(`/api/v1/runs/${runId}/events?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await admin.get(`/api/v1/runs/${runId}/events`, { accept: 'text/event-stream', 'last-event-id': 'x' })).status).toBe(400);
    for (const id of ['x', '%00', 'ses_01HZX0000000000000000000AB', '%ED%A0%80', '..%2f..', "'%20or%201=1"]) {
      expect([id, (await admin.get(`/api/v1/runs/${id}`)).status]).toEqual([id, 400]);
    }
  }, 60_000);

  test.each([
    ['a body of 2 MiB', JSON.stringify({ task: 'x'.repeat(2 * 1024 * 1024) }), 413],
    ['a nesting of 5,000', '['.repeat(5_000) + ']'.repeat(5_000), 400],
    ['half a document', '{"task":', 400],
    ['no document', '', 400],
    ['an object where text belongs', JSON.stringify({ task: {}, workspace: '/' }), 400],
    ['a name that is not known', JSON.stringify({ task: 'x', workspace: '/tmp', taks: 'x' }), 400],
  ])('%s', async (_what, body, status) => {
    expect((await admin.send('POST', '/api/v1/runs', body)).status).toBe(status);
  });

  test('a body that is not JSON is 415', async () => {
    expect((await admin.post('/api/v1/runs', 'task=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  test('other methods are 405 with what is allowed', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD']) {
      const answer = await admin.send(method, '/api/v1/runs');
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, POST']);
    }
  });
});

describe('a submission', () => {
  test.each([
    [{ task: ' \u200b ' }, '/task', 'invalid'],
    [{ workspace: '/etc' }, '/workspace', 'invalid'],
    [{ workspace: '/nowhere/at/all' }, '/workspace', 'invalid'],
    [{ workspace: 'relative' }, '/workspace', 'invalid'],
    [{ workspace: { git: 'ssh://git@example.org/x.git' } }, '/workspace', 'invalid'],
    [{ workspace: { git: 'https://user:secret@example.org/x.git' } }, '/workspace', 'invalid'],
    [{ workspace: { git: 'file:///etc' } }, '/workspace', 'invalid'],
    [{ model: 'scripted:/etc/passwd' }, '/model', 'invalid'],
    [{ profile: 'reviewer' }, '/profile', 'not_available'],
    [{ workflow: 'fix' }, '/workflow', 'not_available'],
    [{ budget: { usd: 1 } }, '/budget/usd', 'price_unknown'],
    [{ budget: { usd: -1 } }, '/budget/usd', 'invalid'],
    [{ limits: { rounds: 0 } }, '/limits/rounds', 'invalid'],
    [{ budget: { tokens: 5 }, limits: { tokens: 6 } }, '/budget/tokens', 'invalid'],
    [{ verifier: 'curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"' }, '/verifier', 'invalid'],
  ])('%j is refused at %s', async (more, pointer, code) => {
    const answer = await as('member').post('/api/v1/runs', submission(more));
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(JSON.stringify(answer.body['errors'])).toContain(pointer);
  });

  test('keeps what it says, and its place can be paged to', async () => {
    const { runId } = await submit(as('member'), { access: 'read_only', policy: 'read-only', budget: { tokens: 5_000 }, limits: { rounds: 3 }, save_history: false });
    const [row] = await stage.stage.query('SELECT settings, created_by FROM run WHERE id = $1', runId);
    expect(row).toMatchObject({
      created_by: `user:${as('member').userId}`,
      settings: { access: 'read_only', policy: 'read-only', resumable: false, limits: { rounds: 3, tokens: 5_000, cost_micro_usd: null } },
    });
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer = await admin.get(`/api/v1/runs?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      seen.push(...page.body.items.map((run) => run['id']));
      cursor = page.body['next_cursor'] as string | null;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(runId);
    const events = await admin.get(`/api/v1/runs/${runId}/events?limit=1`);
    expect(events).toMatchObject({ status: 200, body: { items: [{ version: '1', run_id: runId, seq: 1, type: 'command.accepted' }], next_cursor: '1' } });
    expect(await admin.get(`/api/v1/runs/${runId}/events?after=1000`)).toMatchObject({ status: 200, body: { items: [], next_cursor: null } });
    expect(await admin.get(`/api/v1/runs/${runId}/diff`)).toMatchObject({ status: 200, body: { state: 'none' } });
    expect((await admin.get(`/api/v1/runs/${runId}/tasks`)).body.items).toMatchObject([{ run_id: runId, parent_task_id: null, status: 'queued' }]);
  });
});

test('without a database: healthy, not ready, and every answer says so', async () => {
  const web = await startWeb({ databaseUrl: 'postgresql://nobody:nothing@127.0.0.1:1/none', env: { PILOTHOUSE_DATA_DIR: stage.stage.home }, unready: true });
  try {
    expect((await fetch(`${web.url}/api/readyz`)).status).toBe(503);
    const answer = await clientOf(() => web.url, ADMIN_TOKEN).get('/api/v1/runs');
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
  } finally {
    await web.stop();
  }
}, 60_000);

test('every answer has the headers that browsers are protected by', async () => {
  const { headers } = await fetch(`${stage.web().url}/api/healthz`);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
});
