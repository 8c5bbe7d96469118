import type { Actor } from '@/lib/domain/actor';
import type { ProjectId } from '@/lib/domain/id';
import type { RunSettings } from '@/lib/domain/run/settings';
import type { CommandContext } from './context';
import type { Dispatch, SubmittedRun } from './dispatch';

export interface SubmitRun {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  /** The user's message; redacted and bounded by the caller. */
  readonly task: string;
  readonly workspace:
    /** Canonical absolute path. */
    | { readonly kind: 'directory'; readonly path: string }
    /** What to clone, and below which directory the session's clone will be. */
    | { readonly kind: 'git'; readonly repository: string; readonly clonesRoot: string };
  /** `resumable` says whether the session's history is kept. */
  readonly settings: RunSettings;
  readonly dispatch: Dispatch;
}

/**
 * A new session with its first turn, task and run.
 * @throws CommandError `invalid`, `command_reused`
 */
export function submitRun(_context: CommandContext, _request: SubmitRun): Promise<SubmittedRun> {
  throw new Error('not built yet');
}
