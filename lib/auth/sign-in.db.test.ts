import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAccount } from '@/lib/store/people/account';
import { changeProfile } from './change-profile';
import { countedAttempt } from './limit-attempts';
import { isLinkOpen, keepSignInLink, newSignInLink, signInWithLink } from './sign-in-link';
import { signInWithPassword } from './sign-in-with-password';
import { signInWithProvider } from './sign-in-with-provider';
import { authScene, type AuthScene } from './testing/auth-scene';

let scene: AuthScene;
beforeAll(async () => {
  scene = await authScene();
});
afterAll(() => scene.close());

const audited = async (action: string): Promise<number> => {
  const [row] = await scene.store.rows(z.object({ n: z.number() }), 'SELECT count(*)::int AS n FROM audit_entry WHERE action = $1', action);
  return row?.n ?? 0;
};
const tokenOf = (path: string): string => new URL(path, 'http://here').searchParams.get('token') ?? '';
async function linkFor(userId: `usr_${string}`, validSeconds = 60): Promise<string> {
  const link = newSignInLink();
  await scene.store.transaction((sql) => keepSignInLink(sql, link, userId, 'system', validSeconds));
  return tokenOf(link.path);
}

describe('a one-time link', () => {
  test('signs one of twenty in that use it at once', async () => {
    const userId = await scene.person({ role: 'admin' });
    const token = await linkFor(userId);
    const all = await Promise.all(Array.from({ length: 20 }, () => signInWithLink(scene, token, '127.0.0.1')));
    expect(all.filter((person) => person !== null)).toEqual([{ userId, name: 'Somebody', authEpoch: 1 }]);
    expect(await audited('signed_in')).toBe(1);
  });

  test('is not used up by looking at it', async () => {
    const token = await linkFor(await scene.person());
    expect(await isLinkOpen(scene, token)).toBe(true);
    expect(await isLinkOpen(scene, token)).toBe(true);
    expect(await signInWithLink(scene, token, '')).not.toBeNull();
    expect(await isLinkOpen(scene, token)).toBe(false);
  });

  test('gives way to a newer one, and is worth nothing when it is over', async () => {
    const userId = await scene.person();
    const older = await linkFor(userId);
    const newer = await linkFor(userId, 1);
    expect(await signInWithLink(scene, older, '')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await signInWithLink(scene, newer, '')).toBeNull();
  });

  test.each([undefined, 7, '', 'x'.repeat(43), { token: 'x' }, 'a\0'])('%j is none', async (token) => {
    expect(await signInWithLink(scene, token, '')).toBeNull();
  });
});

describe('a password', () => {
  const password = 'correct horse battery';

  test('signs its person in, however the address is typed', async () => {
    const userId = await scene.person({ email: 'ada@example.org', password });
    const outcome = await signInWithPassword(scene, { email: '  Ada@Example.ORG', password, address: '10.0.0.1' });
    expect(outcome).toMatchObject({ ok: true, person: { userId } });
  });

  test('that is wrong is answered as one of nobody is, and as slowly', async () => {
    await scene.person({ email: 'bob@example.org', password });
    const time = async (email: string): Promise<number> => {
      const started = performance.now();
      expect(await signInWithPassword(scene, { email, password: 'not the one', address: '10.0.0.2' })).toEqual({ ok: false, code: 'wrong' });
      return performance.now() - started;
    };
    const best = async (email: string): Promise<number> => Math.min(await time(email), await time(email), await time(email));
    const known = await best('bob@example.org');
    // Without the work of a password it would be some twentieth.
    expect(await best('nobody@example.org')).toBeGreaterThan(known / 4);
  });

  test('is refused after ten failures, the right one too, in every process and after a restart', async () => {
    await scene.person({ email: 'cleo@example.org', password });
    const attempt = (given: string) => signInWithPassword(scene, { email: 'cleo@example.org', password: given, address: '10.0.0.3' });
    const failures = await Promise.all(Array.from({ length: 14 }, () => attempt('wrong')));
    expect(failures.filter((outcome) => !outcome.ok && outcome.code === 'wrong')).toHaveLength(10);
    const refused = await attempt(password);
    expect(refused).toMatchObject({ ok: false, code: 'too_many_attempts' });
    expect(!refused.ok && refused.code === 'too_many_attempts' ? refused.retryAfterSeconds : 0).toBeGreaterThan(800);
    await scene.store.rows(z.never(), "UPDATE sign_in_attempt SET since = since - interval '16 minutes'");
    expect(await attempt(password)).toMatchObject({ ok: true });
  });

  test('and an address that tries many accounts is refused too, while others are not', async () => {
    for (let index = 0; index < 20; index += 1) await countedAttempt(scene.store, `account ${index}`, '10.0.0.4');
    expect(await countedAttempt(scene.store, 'one more', '10.0.0.4')).toMatchObject({ allowed: false });
    expect(await countedAttempt(scene.store, 'one more', '10.0.0.5')).toMatchObject({ allowed: true });
  });

  test('and what is counted stays bounded', async () => {
    await scene.store.rows(
      z.never(),
      "INSERT INTO sign_in_attempt (key, attempts, since) SELECT md5(n::text), CASE WHEN n <= 5 THEN 10 ELSE 1 END, now() FROM generate_series(1, 12000) n",
    );
    await countedAttempt(scene.store, 'whoever', '10.0.0.6');
    const [left] = await scene.store.rows(z.object({ n: z.number(), hot: z.number() }), "SELECT count(*)::int AS n, count(*) FILTER (WHERE attempts >= 10)::int AS hot FROM sign_in_attempt");
    expect(left?.n).toBeLessThanOrEqual(10_002);
    expect(left?.hot).toBeGreaterThanOrEqual(5);
  });
});

describe("a person's own profile", () => {
  test('takes a first password freely and a second one only for the first', async () => {
    const userId = await scene.person({ email: 'dora@example.org', role: 'member' });
    expect(await changeProfile(scene, userId, { name: 'Dora', password: 'the first password' })).toEqual({ ok: true, authEpoch: 2 });
    expect(await changeProfile(scene, userId, { password: 'the second password' })).toMatchObject({ ok: false, field: 'current_password' });
    const changed = await changeProfile(scene, userId, { password: 'the second password', current_password: 'the first password' });
    expect(changed).toEqual({ ok: true, authEpoch: 3 });
    expect(await signInWithPassword(scene, { email: 'dora@example.org', password: 'the second password', address: '' })).toMatchObject({ ok: true });
  });

  test('needs an address with a password, and one that nobody else has', async () => {
    const userId = await scene.person();
    expect(await changeProfile(scene, userId, { password: 'a long password' })).toMatchObject({ ok: false, field: 'email' });
    expect(await changeProfile(scene, userId, { email: 'dora@example.org', password: 'a long password' })).toMatchObject({ ok: false, field: 'email' });
    expect((await readAccount(scene.store, userId))?.passwordHash).toBeNull();
  });
});

describe("another party's word", () => {
  const identity = { issuer: 'https://id.example', subject: 'e1', email: 'eve@example.org', emailVerified: true, name: 'Eve' };

  test('makes a person who belongs to no project, and knows them by their subject afterwards', async () => {
    const first = await signInWithProvider(scene, identity);
    const again = await signInWithProvider(scene, { ...identity, email: 'other@example.org', name: 'Evelyn' });
    expect(again?.userId).toBe(first?.userId);
  });

  test('becomes the person who was invited by that address, if the provider verified it', async () => {
    const invited = await scene.person({ email: 'finn@example.org', role: 'member' });
    const unverified = await signInWithProvider(scene, { ...identity, subject: 'f0', email: 'finn@example.org', emailVerified: false });
    expect(unverified?.userId).not.toBe(invited);
    const verified = await signInWithProvider(scene, { ...identity, subject: 'f1', email: 'Finn@example.org' });
    expect(verified?.userId).toBe(invited);
  });

  test('never takes over an account that somebody uses', async () => {
    const owner = await scene.person({ email: 'gina@example.org', password: 'a long password', role: 'admin' });
    const other = await signInWithProvider(scene, { ...identity, subject: 'g1', email: 'gina@example.org' });
    expect(other?.userId).not.toBe(owner);
    expect(other === null ? undefined : (await readAccount(scene.store, other.userId))?.email).toBeNull();
  });

  test('signs nobody in who was disabled', async () => {
    const person = await signInWithProvider(scene, { ...identity, subject: 'h1', email: null });
    await scene.store.rows(z.never(), 'UPDATE app_user SET disabled_at = now() WHERE id = $1', person?.userId ?? '');
    expect(await signInWithProvider(scene, { ...identity, subject: 'h1' })).toBeNull();
  });
});

