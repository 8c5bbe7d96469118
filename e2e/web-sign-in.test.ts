/** Signing in over HTTP as a browser does it: link, password, cookie, and what each is not worth. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from './fixtures/browser';
import { openWebStage, type WebStage } from './fixtures/web-stage';
import { insertAccount, updateAccount } from '@/lib/store/people/account';
import { insertMember } from '@/lib/store/people/member';
import { hashPassword } from '@/lib/auth/password';
import { newId } from '@/lib/testing/run-builder';

let stage: WebStage;
beforeAll(async () => {
  stage = await openWebStage();
}, 300_000);
afterAll(() => stage.close());

const browser = (): Browser => new Browser(stage.web().url);
const password = 'correct horse battery';

async function person(email: string, role: 'admin' | 'member'): Promise<`usr_${string}`> {
  const userId = newId('usr');
  await insertAccount(stage.store, { userId, email, name: email });
  await updateAccount(stage.store, { userId, email, name: email, passwordHash: await hashPassword(password) });
  await insertMember(stage.store, { projectId: stage.projectId, userId, role });
  return userId;
}

test('the first link signs one of twenty in, and looking at its page uses nothing up', async () => {
  const token = new URL(stage.signInPath, 'http://here').searchParams.get('token') ?? '';
  for (let count = 0; count < 3; count += 1) await browser().get(stage.signInPath);
  const browsers = Array.from({ length: 20 }, browser);
  await Promise.all(browsers.map((one) => one.signIn('link', { token })));
  const signedIn = await Promise.all(browsers.map((one) => one.get('/api/v1/me')));
  expect(signedIn.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
  expect(signedIn.find(({ status }) => status === 200)?.body).toMatchObject({ role: 'admin', via: 'session' });
}, 60_000);

test('a password signs in; the cookie changes things from our own pages only, and ends with the epoch', async () => {
  const userId = await person('ada@example.org', 'member');
  const one = browser();
  await one.signIn('password', { email: 'Ada@example.org', password: 'not the one' });
  expect((await one.get('/api/v1/me')).status).toBe(401);
  await one.signIn('password', { email: 'Ada@example.org', password });
  expect(await one.get('/api/v1/me')).toMatchObject({ status: 200, body: { id: userId, role: 'member', via: 'session' } });

  const workspace = (await stage.stage.scene()).workspace;
  const submit = (headers: Record<string, string>) => one.post('/api/v1/runs', { task: 'x', workspace, model: 'fake' }, headers);
  expect(await submit({})).toMatchObject({ status: 403, body: { code: 'cross_origin' } });
  expect((await submit({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await submit({ origin: stage.web().url })).status).toBe(201);
  expect((await one.post('/api/v1/runs', 'task=x', { origin: stage.web().url, 'content-type': 'text/plain' })).status).toBe(415);

  await stage.stage.query('UPDATE app_user SET auth_epoch = auth_epoch + 1 WHERE id = $1', userId);
  expect((await one.get('/api/v1/me')).status).toBe(401);
}, 60_000);

test('a session survives a restart of the web server', async () => {
  await person('bob@example.org', 'admin');
  const one = browser();
  await one.signIn('password', { email: 'bob@example.org', password });
  await stage.restartWeb();
  expect((await one.get('/api/v1/me')).status).toBe(200);
}, 60_000);

test('what somebody may not is refused and in the audit, once a minute', async () => {
  const viewer = await stage.client('viewer');
  for (let count = 0; count < 3; count += 1) expect((await viewer.post('/api/v1/runs', {})).status).toBe(403);
  const denied = await stage.stage.query("SELECT target, detail FROM audit_entry WHERE action = 'denied' AND actor = $1", `user:${viewer.userId}`);
  expect(denied).toEqual([{ target: 'POST /api/v1/runs', detail: { role: 'viewer', via: 'token' } }]);
});

test('too many failures are refused before the password is looked at, after a restart too', async () => {
  await person('cleo@example.org', 'member');
  for (let count = 0; count < 10; count += 1) await browser().signIn('password', { email: 'cleo@example.org', password: 'wrong' });
  await stage.restartWeb();
  const one = browser();
  expect(await one.signIn('password', { email: 'cleo@example.org', password })).toContain('code=too_many_attempts');
  expect((await one.get('/api/v1/me')).status).toBe(401);
}, 60_000);

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])('going on to %s stays here', async (callbackUrl) => {
  await stage.stage.query('DELETE FROM sign_in_attempt');
  const email = `${newId('usr').toLowerCase()}@example.org`;
  await person(email, 'member');
  const location = await browser().signIn('password', { email, password, callbackUrl });
  expect(new URL(location, stage.web().url).origin).toBe(stage.web().url);
});

test('what signs people in is nowhere in the database, and who did is in the audit', async () => {
  const token = new URL(stage.signInPath, 'http://here').searchParams.get('token') ?? '';
  const rows = await stage.stage.query('SELECT row_to_json(a)::text AS t FROM audit_entry a UNION ALL SELECT row_to_json(l)::text FROM sign_in_link l UNION ALL SELECT row_to_json(s)::text FROM sign_in_attempt s UNION ALL SELECT row_to_json(u)::text FROM app_user u');
  const text = JSON.stringify(rows);
  for (const secret of [token, password]) expect(text).not.toContain(secret);
  const actions = (await stage.stage.query('SELECT DISTINCT action FROM audit_entry')).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['signed_in', 'sign_in_failed', 'first_admin_made', 'submit']));
});
