import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Principal } from '@/lib/auth/principal';
import { CommandError } from '@/lib/commands/command-error';
import { ROLES, type Role } from '@/lib/domain/role';
import { DatabaseUnavailableError } from '@/lib/store/database-unavailable-error';
import { StoreError } from '@/lib/store/store-error';
import type { System } from '@/lib/system';
import { json } from './answer';
import { methods } from './methods';
import { idOf } from './parse';
import { Problem, statusOf } from './problem';
import { route, type RouteSpec } from './route';

let principal: Principal | null = null;
vi.mock('./authenticate-request', () => ({
  authenticateRequest: async () => {
    if (principal === null) throw new Problem('unauthenticated');
    return principal;
  },
}));

const RUN = 'run_01HZX0000000000000000000AB';
const as = (role: Role, via: Principal['via'] = 'token'): Principal => ({ userId: 'usr_1', projectId: 'prj_1', name: 'Ada', role, via });
// Only what the kit itself uses of a system.
const system = { configuration: { auth: { url: undefined } }, commands: { newId: () => 'cmd_fresh' } } as unknown as System;

async function call(
  given: RequestInit & { readonly id?: string; readonly query?: string },
  spec: RouteSpec<unknown, unknown, unknown> = { permission: 'viewer' },
  work: (call: { body: unknown; params: unknown; commandId: string }) => Promise<unknown> = async ({ body, params, commandId }) => ({ body, params, commandId }),
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const { id = RUN, query = '', ...init } = given;
  const handler = route(spec, async (parts) => json(200, await work(parts)), async () => system);
  const request = new Request(`http://localhost:3000/api/v1/x${query}`, { method: 'POST', ...init, ...(init.body instanceof ReadableStream ? { duplex: 'half' } : {}) });
  const response = await handler(request, { params: Promise.resolve({ id }) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, headers: response.headers };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const withBody = (body: BodyInit, headers: Record<string, string> = {}) =>
  call({ body, headers: { ...JSON_TYPE, ...headers } }, { permission: 'viewer', body: z.looseObject({}) });

describe('a body', () => {
  principal = as('member');
  test.each([
    ['{', 400, 'malformed_json'],
    ['{"a":}', 400, 'malformed_json'],
    ['nul', 400, 'malformed_json'],
    ['{"a":1}{"b":2}', 400, 'malformed_json'],
    ['[]', 400, 'invalid'],
    ['"text"', 400, 'invalid'],
    ['', 400, 'invalid'],
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400, 'too_deep'],
    [`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 400, 'too_deep'],
    ['['.repeat(900_000), 400, 'too_deep'],
  ])('%.20s … is %i %s', async (text, status, code) => {
    principal = as('member');
    expect(await withBody(text)).toMatchObject({ status, body: { status, code, type: 'about:blank' } });
  });

  test('of bytes that are no UTF-8 is 400', async () => {
    expect(await withBody(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
  });

  test('of 2 MiB is 413, whatever its header says', async () => {
    const big = JSON.stringify({ a: 'x'.repeat(2 * 1024 * 1024) });
    expect(await withBody(big)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    const bytes = new TextEncoder().encode(big);
    let at = 0;
    const streamed = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, (at += 65_536)));
      },
    });
    expect(await withBody(streamed)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect(at).toBeLessThan(1.2 * 1024 * 1024);
  });

  test('nested up to 64 levels, or with brackets in its strings, is read', async () => {
    expect((await withBody(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).status).toBe(200);
    expect((await withBody(JSON.stringify({ a: '[{'.repeat(5_000), b: '\\"['.repeat(100) }))).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', ''])('as %s is 415', async (type) => {
    expect(await withBody('{}', { 'content-type': type })).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  test('as JSON with a charset is read', async () => {
    expect((await withBody('{}', { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
  });

  test('is cleaned of what no store accepts, in keys and values at every depth', async () => {
    const { body } = await withBody('{"a\\u0000":"x\\u0000y","b":[{"c":"\\ud800"}],"__proto__":{"d":"\\udfff\\u0000"}}');
    expect(JSON.stringify(body)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    expect(JSON.stringify(body)).toContain('x\uFFFDy');
  });
});

describe('an id', () => {
  const params = z.object({ id: idOf('run') });
  test.each(['run_', 'run_short', 'ses_01HZX0000000000000000000AB', "run_'; drop table run --", 'run_01HZX0000000000000000000AB/..', '\0', '%'])('%j is 400', async (id) => {
    principal = as('viewer');
    expect(await call({ id }, { permission: 'viewer', params })).toMatchObject({ status: 400, body: { code: 'invalid_id' } });
  });

  test('is no object in a body', async () => {
    const body = z.strictObject({ run: idOf('run') });
    for (const run of [{}, { $gt: '' }, [], [RUN], 7, null, true]) {
      const answer = await call({ body: JSON.stringify({ run }), headers: JSON_TYPE }, { permission: 'viewer', body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ pointer: '/run' }] } });
    }
  });
});

describe('who may', () => {
  test('nobody is 401', async () => {
    principal = null;
    expect(await call({})).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('is decided by the order of roles, before the body is looked at', async () => {
    for (const [rank, role] of ROLES.entries()) {
      for (const [needed, permission] of ROLES.entries()) {
        principal = as(role);
        const answer = await call({ body: 'not json' }, { permission, body: z.unknown() });
        expect(answer.status).toBe(rank >= needed ? 415 : 403);
      }
    }
  });

  test('a cookie changes nothing from another site, nor without a word on where it comes from', async () => {
    principal = as('admin', 'session');
    const from = async (headers: Record<string, string>) => (await call({ headers: { host: 'localhost:3000', ...headers } })).status;
    expect(await from({})).toBe(403);
    expect(await from({ origin: 'https://evil.example' })).toBe(403);
    expect(await from({ origin: 'null' })).toBe(403);
    expect(await from({ origin: 'http://localhost:3001' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await from({ origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await from({ origin: 'http://localhost:3000' })).toBe(200);
    expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  test('a token is sent by whoever has it, from anywhere; a cookie reads from anywhere', async () => {
    principal = as('member');
    expect((await call({ headers: { origin: 'https://ci.example' } })).status).toBe(200);
    principal = as('member', 'session');
    expect((await call({ method: 'GET' })).status).toBe(200);
  });
});

describe('a command id', () => {
  test('is the Idempotency-Key, or fresh', async () => {
    principal = as('member');
    expect((await call({ headers: { 'idempotency-key': 'a-key' } })).body['commandId']).toBe('a-key');
    expect((await call({})).body['commandId']).toBe('cmd_fresh');
  });

  test.each(['', ' ', 'two words', 'ä', 'x'.repeat(201)])('%j is none', async (key) => {
    expect(await call({ headers: { 'idempotency-key': key } })).toMatchObject({ status: 400, body: { code: 'invalid_command_id' } });
  });
});

describe('what goes wrong', () => {
  const failing = (error: Error) => call({}, { permission: 'viewer' }, async () => Promise.reject(error));

  test('a conflict carries the state that stands against it', async () => {
    principal = as('member');
    expect(await failing(new CommandError('run_ended', 'It has ended.', { status: 'failed' }))).toMatchObject({
      status: 409,
      body: { code: 'run_ended', detail: 'It has ended.', current: { status: 'failed' } },
    });
  });

  test.each<[Error, number]>([
    [new StoreError('unavailable', null, null, null), 503],
    [new StoreError('storage_full', '53100', null, null), 507],
    [new DatabaseUnavailableError('gone'), 503],
  ])('%s is %i', async (error, status) => {
    expect((await failing(error)).status).toBe(status);
  });

  test('what nobody foresaw is an opaque id, and tells nothing', async () => {
    const log = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const { status, body } = await failing(new Error('password=hunter2 at table secrets'));
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(String(log.mock.calls[0]?.[0])).toContain(String(body['instance']));
  });

  test('every answer forbids caching and sniffing', async () => {
    for (const { headers } of [await call({}), await failing(new Problem('not_found'))]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

test('other methods are 405 and say which are allowed', async () => {
  const all = methods({ GET: async () => json(200, {}), POST: async () => json(200, {}) });
  const context = { params: Promise.resolve({}) };
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const) {
    const response = await all[method](new Request('http://x/', { method }), context);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST');
  }
  expect(statusOf('method_not_allowed')).toBe(405);
});
