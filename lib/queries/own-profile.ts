import type { Principal } from '@/lib/auth/principal';
import { readAccount } from '@/lib/store/people/account';
import type { Sql } from '@/lib/store/sql';

export interface OwnProfile {
  readonly name: string;
  readonly email: string | null;
  readonly hasPassword: boolean;
}

/** What somebody may change of themselves. */
export async function ownProfile(sql: Sql, principal: Principal): Promise<OwnProfile> {
  const account = await readAccount(sql, principal.userId);
  return { name: account?.name ?? principal.name, email: account?.email ?? null, hasPassword: account?.passwordHash !== null && account !== null };
}
