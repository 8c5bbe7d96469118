import type { NewId } from '@/lib/domain/id';
import type { Store } from '@/lib/store/database';

/** What every command needs besides its request. */
export interface CommandContext {
  readonly store: Store;
  readonly newId: NewId;
}
