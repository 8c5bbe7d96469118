import { randomInt } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import { makeId, type NewId, type ProjectId, type UserId } from '@/lib/domain/id';
import type { Role } from '@/lib/domain/role';
import { openStore, type Store } from '@/lib/store/database';
import { findProject } from '@/lib/store/find-project';
import { insertAccount, updateAccount } from '@/lib/store/people/account';
import { insertMember } from '@/lib/store/people/member';
import { createTestDatabase } from '@/lib/testing/template-database';
import type { AuthContext, SignedIn } from '../auth-context';
import type { AuthSettings } from '../auth-settings';
import { hashPassword } from '../password';

export const newId: NewId = (prefix) => makeId(prefix, Date.now(), () => randomInt(2 ** 32) / 2 ** 32);

export const SETTINGS: AuthSettings = { secret: 'a secret of tests only', secureCookies: false, cookieName: 'pilothouse.session' };

export interface AuthScene extends AuthContext {
  readonly store: Store;
  readonly projectId: ProjectId;
  person(given?: { email?: string; password?: string; role?: Role; projectId?: ProjectId }): Promise<UserId>;
  close(): Promise<void>;
}

/** A database with one project and nobody in it. */
export async function authScene(): Promise<AuthScene> {
  const database = await createTestDatabase();
  const store = openStore(database.url);
  const projectId = await findProject(store, newId('prj'));
  return {
    store,
    newId,
    projectId,
    async person({ email, password, role, projectId: other } = {}) {
      const userId = newId('usr');
      const account = { userId, email: email ?? null, name: email ?? 'Somebody' };
      await insertAccount(store, account);
      if (password !== undefined) await updateAccount(store, { ...account, passwordHash: await hashPassword(password) });
      if (role !== undefined) await insertMember(store, { projectId: other ?? projectId, userId, role });
      return userId;
    },
    async close() {
      await store.close();
      await database.drop();
    },
  };
}

/** The headers of a browser that signed in so. */
export async function cookieOf(person: Pick<SignedIn, 'userId' | 'authEpoch'>): Promise<Headers> {
  const { secret, cookieName } = SETTINGS;
  const sealed = await encode({ secret, salt: cookieName, token: { sub: person.userId, epoch: person.authEpoch, checkedAt: Date.now() } });
  return new Headers({ cookie: `${cookieName}=${sealed}` });
}
