import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { insertApiToken, revokeApiToken } from '@/lib/store/api-tokens';
import { deleteMember, updateMemberRole } from '@/lib/store/people/member';
import { raiseEpoch } from '@/lib/store/people/account';
import type { Role } from '@/lib/domain/role';
import { authenticate } from './authenticate';
import { prepareFirstStart } from './first-start';
import { hashSecret, newApiToken } from './secret';
import { authScene, cookieOf, newId, SETTINGS, type AuthScene } from './testing/auth-scene';

let scene: AuthScene;
beforeAll(async () => {
  scene = await authScene();
});
afterAll(() => scene.close());

const who = (headers: Headers) => authenticate({ store: scene.store, settings: SETTINGS }, headers);
const bearer = (token: string): Headers => new Headers({ authorization: `Bearer ${token}` });

async function tokenOf(userId: `usr_${string}`, role: Role, expiresAt: Date | null = null) {
  const token = newApiToken();
  const tokenId = newId('tok');
  await insertApiToken(scene.store, { tokenId, projectId: scene.projectId, userId, name: 'test', role, hash: hashSecret(token), expiresAt });
  return { token, tokenId };
}

describe('a session', () => {
  test('is worth what its person may do now', async () => {
    const userId = await scene.person({ role: 'member' });
    const cookie = await cookieOf({ userId, authEpoch: 1 });
    expect(await who(cookie)).toMatchObject({ kind: 'principal', principal: { userId, role: 'member', via: 'session' } });
    await updateMemberRole(scene.store, { projectId: scene.projectId, userId, role: 'viewer' });
    expect(await who(cookie)).toMatchObject({ principal: { role: 'viewer' } });
    await deleteMember(scene.store, { projectId: scene.projectId, userId });
    expect(await who(cookie)).toEqual({ kind: 'no_project', userId });
  });

  test('ends when the epoch is raised, with the next request', async () => {
    const userId = await scene.person({ role: 'member' });
    const cookie = await cookieOf({ userId, authEpoch: 1 });
    await raiseEpoch(scene.store, userId);
    expect(await who(cookie)).toEqual({ kind: 'nobody' });
  });

  test('of a disabled person, of nobody, or sealed by somebody else is nobody', async () => {
    const userId = await scene.person({ role: 'member' });
    const cookie = await cookieOf({ userId, authEpoch: 1 });
    const other = await authenticate({ store: scene.store, settings: { ...SETTINGS, secret: 'another secret' } }, cookie);
    expect(other).toEqual({ kind: 'nobody' });
    await scene.store.rows(z.never(), 'UPDATE app_user SET disabled_at = now() WHERE id = $1', userId);
    expect(await who(cookie)).toEqual({ kind: 'nobody' });
    expect(await who(await cookieOf({ userId: newId('usr'), authEpoch: 1 }))).toEqual({ kind: 'nobody' });
    expect(await who(new Headers({ cookie: 'pilothouse.session=nonsense' }))).toEqual({ kind: 'nobody' });
  });
});

describe('a token', () => {
  test('acts for its person, with the weaker of both roles', async () => {
    const userId = await scene.person({ role: 'engineer' });
    const { token, tokenId } = await tokenOf(userId, 'member');
    expect(await who(bearer(token))).toMatchObject({ principal: { userId, tokenId, role: 'member', via: 'token' } });
    await updateMemberRole(scene.store, { projectId: scene.projectId, userId, role: 'viewer' });
    expect(await who(bearer(token))).toMatchObject({ principal: { role: 'viewer' } });
  });

  test('that was revoked, has expired or never was is nobody, whatever cookie comes with it', async () => {
    const userId = await scene.person({ role: 'admin' });
    const { token, tokenId } = await tokenOf(userId, 'admin');
    await revokeApiToken(scene.store, { projectId: scene.projectId, tokenId });
    const headers = await cookieOf({ userId, authEpoch: 1 });
    headers.set('authorization', `Bearer ${token}`);
    expect(await who(headers)).toEqual({ kind: 'nobody' });
    expect(await who(bearer((await tokenOf(userId, 'admin', new Date(Date.now() - 1_000))).token))).toEqual({ kind: 'nobody' });
    expect(await who(bearer(newApiToken()))).toEqual({ kind: 'nobody' });
    expect(await who(new Headers({ authorization: 'Basic YWRtaW46YWRtaW4=' }))).toEqual({ kind: 'nobody' });
  });

  test('notes its use at most once a minute', async () => {
    const { token, tokenId } = await tokenOf(await scene.person({ role: 'member' }), 'member');
    const version = async (): Promise<string> => {
      const rows = await scene.store.rows(z.object({ version: z.string(), used: z.boolean() }), 'SELECT xmin::text AS version, last_used_at IS NOT NULL AS used FROM api_token WHERE id = $1', tokenId);
      return `${rows[0]?.version} ${rows[0]?.used}`;
    };
    await who(bearer(token));
    const once = await version();
    expect(once).toContain('true');
    await who(bearer(token));
    expect(await version()).toBe(once);
  });
});

describe('a first start', () => {
  test('makes one admin and a link that works once, and gives another link until somebody can sign in', async () => {
    const fresh = await authScene();
    try {
      const adminToken = 'a token of automation';
      const start = () => prepareFirstStart({ store: fresh.store, commands: { newId }, projectId: fresh.projectId, configuration: { adminToken } });
      const links = await Promise.all([start(), start(), start()]);
      expect(new Set(links.map((link) => link?.signInPath)).size).toBe(3);
      const [count] = await fresh.store.rows(z.object({ n: z.number() }), "SELECT count(*)::int AS n FROM member WHERE role = 'admin'");
      expect(count?.n).toBe(1);
      const admin = await authenticate({ store: fresh.store, settings: SETTINGS }, bearer(adminToken));
      expect(admin).toMatchObject({ principal: { role: 'admin', via: 'token' } });
      await fresh.store.rows(z.never(), "UPDATE app_user SET email = 'first@example.org', password_hash = 'scrypt'");
      expect(await start()).toBeNull();
    } finally {
      await fresh.close();
    }
  });
});
