import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { authenticate } from '@/lib/auth/authenticate';
import { authSettings } from '@/lib/auth/auth-settings';
import { safeCallbackUrl } from '@/lib/auth/callback-url';
import type { Principal } from '@/lib/auth/principal';
import { includesRole, type Role } from '@/lib/domain/role';
import type { System } from '@/lib/system';
import { webSystem } from './web-system';

export interface PageCall {
  readonly system: System;
  readonly principal: Principal;
}

/**
 * For server components: who looks at the page. Nobody is sent to the sign-in page and
 * comes back to `from`; a person without a project to `/no-project`; one whose role is
 * too low finds no such page.
 * @param from path (and query) of the page itself; only `/…` is followed.
 */
export async function requirePrincipal(from = '/', permission: Role = 'viewer'): Promise<PageCall> {
  const system = await webSystem();
  const found = await authenticate({ store: system.store, settings: authSettings(system.configuration) }, await headers());
  if (found.kind === 'nobody') redirect(`/sign-in?callbackUrl=${encodeURIComponent(safeCallbackUrl(from))}`);
  if (found.kind === 'no_project') redirect('/no-project');
  if (!includesRole(found.principal.role, permission)) notFound();
  return { system, principal: found.principal };
}
