/** Who asks, and what they may do in which project: read from the database for every request. */
import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, TokenId, UserId } from '@/lib/domain/id';
import type { Role } from '@/lib/domain/role';

export interface Principal {
  readonly userId: UserId;
  readonly projectId: ProjectId;
  /** In that project; for a token the weaker of its own and its owner's. */
  readonly role: Role;
  /** For people. */
  readonly name: string;
  readonly via: 'session' | 'token';
  /** The token that was shown, where one was. */
  readonly tokenId?: TokenId;
}

/** As events and audit entries name a person. */
export const actorOf = (principal: Pick<Principal, 'userId'>): Actor => `user:${principal.userId}`;
