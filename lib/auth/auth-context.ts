import type { NewId, ProjectId } from '@/lib/domain/id';
import type { Store } from '@/lib/store/database';

/** What signing in needs besides what is shown. */
export interface AuthContext {
  readonly store: Store;
  readonly newId: NewId;
  /** Whose audit names those who belong to no project. */
  readonly projectId: ProjectId;
}

/** Whom a sign-in has found; the session carries id and epoch. */
export interface SignedIn {
  readonly userId: `usr_${string}`;
  readonly name: string;
  readonly authEpoch: number;
}
