import type { Principal } from '@/lib/auth/principal';
import { includesRole, type Role } from '@/lib/domain/role';
import type { System } from '@/lib/system';
import { authenticateRequest } from './authenticate-request';
import { Problem } from './problem';

/**
 * For long streams, asked now and then: do the same headers still stand for the same
 * person in the same project, with a role that may look? Rejects where that is not known.
 */
export function stillAllowed(
  system: System,
  request: { readonly headers: Headers },
  then: Principal,
  needed: Role = 'viewer',
): () => Promise<boolean> {
  const kept = new Headers(request.headers);
  return async () => {
    try {
      const now = await authenticateRequest(system, kept);
      return now.userId === then.userId && now.projectId === then.projectId && includesRole(now.role, needed);
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
}
