import { headers } from 'next/headers';
import { cache } from 'react';
import { authenticate } from '@/lib/auth/authenticate';
import { authSettings } from '@/lib/auth/auth-settings';
import type { Role } from '@/lib/domain/role';
import { includesRole } from '@/lib/domain/role';
import { requirePrincipal, type PageCall } from '@/lib/http/require-principal';
import { webSystem } from '@/lib/http/web-system';

/** Who looks, read once a request for the shell and the page within it; null where that is nobody, or nobody's project. */
export const currentCall = cache(async (): Promise<PageCall | null> => {
  const system = await webSystem();
  const found = await authenticate({ store: system.store, settings: authSettings(system.configuration) }, await headers());
  return found.kind === 'principal' ? { system, principal: found.principal } : null;
});

/**
 * Who looks at this page and may; others are sent where they belong.
 * @param from path of the page, to come back to after signing in.
 */
export async function pageCall(from: string, permission: Role = 'viewer'): Promise<PageCall> {
  const call = await currentCall();
  return call !== null && includesRole(call.principal.role, permission) ? call : requirePrincipal(from, permission);
}
