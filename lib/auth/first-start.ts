import type { NewId, ProjectId, UserId } from '@/lib/domain/id';
import type { Store } from '@/lib/store/database';
import { insertApiToken } from '@/lib/store/api-tokens';
import { insertAccount } from '@/lib/store/people/account';
import { insertMember, listAdmins, lockProject } from '@/lib/store/people/member';
import type { Sql } from '@/lib/store/sql';
import { auditSignIn } from './audit';
import { hashSecret } from './secret';
import { keepSignInLink, newSignInLink } from './sign-in-link';

/** What of the system a first start needs. */
export interface FirstStart {
  readonly store: Store;
  readonly commands: { readonly newId: NewId };
  readonly projectId: ProjectId;
  /** PILOTHOUSE_ADMIN_TOKEN: becomes a token of the first admin when that one is made. */
  readonly configuration: { readonly adminToken: string | undefined };
}

const LINK_VALID_SECONDS = 24 * 3_600;

/**
 * Makes the first admin where the project has none, and a one-time sign-in link as long
 * as no admin has a lasting way to sign in: whoever lost the first link gets another by
 * starting again. Safe with several processes at once. Prints nothing.
 * @returns null when somebody can administer the project.
 * @throws StoreError
 */
export async function prepareFirstStart(system: FirstStart): Promise<{ readonly signInPath: string } | null> {
  const { store, projectId } = system;
  return store.transaction(async (sql) => {
    await lockProject(sql, projectId);
    const admins = await listAdmins(sql, projectId);
    if (admins.some((admin) => admin.canSignIn)) return null;
    const userId = admins[0]?.userId ?? (await makeFirstAdmin(system, sql));
    const link = newSignInLink();
    await keepSignInLink(sql, link, userId, 'system', LINK_VALID_SECONDS);
    return { signInPath: link.path };
  });
}

async function makeFirstAdmin({ commands, projectId, configuration }: FirstStart, sql: Sql): Promise<UserId> {
  const { newId } = commands;
  const userId = newId('usr');
  await insertAccount(sql, { userId, email: null, name: 'Admin' });
  await insertMember(sql, { projectId, userId, role: 'admin' });
  await auditSignIn({ newId, projectId }, sql, 'first_admin_made', userId, { token: configuration.adminToken !== undefined });
  if (configuration.adminToken !== undefined) {
    const hash = hashSecret(configuration.adminToken);
    await insertApiToken(sql, { tokenId: newId('tok'), projectId, userId, name: 'PILOTHOUSE_ADMIN_TOKEN', role: 'admin', hash, expiresAt: null });
  }
  return userId;
}
