import type { Principal } from '@/lib/auth/principal';
import { authenticate } from '@/lib/auth/authenticate';
import { authSettings } from '@/lib/auth/auth-settings';
import type { System } from '@/lib/system';
import { Problem } from './problem';

/**
 * Who sent these headers.
 * @throws Problem `unauthenticated`, `no_project`
 */
export async function authenticateRequest(system: System, headers: Headers): Promise<Principal> {
  const found = await authenticate({ store: system.store, settings: authSettings(system.configuration) }, headers);
  switch (found.kind) {
    case 'principal':
      return found.principal;
    case 'no_project':
      throw new Problem('no_project');
    case 'nobody':
      throw new Problem('unauthenticated', {}, { 'www-authenticate': 'Bearer' });
  }
}
