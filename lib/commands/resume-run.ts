import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, RunId, SessionId } from '@/lib/domain/id';
import type { Limits } from '@/lib/domain/run/settings';
import type { CommandContext } from './context';
import type { Dispatch, SubmittedRun } from './dispatch';

export interface ResumeRun {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  /** A run, or the latest root run of a session. */
  readonly target: { readonly runId: RunId } | { readonly sessionId: SessionId };
  /** Replaces the limits of the turn: a resume may raise them. */
  readonly limits?: Limits;
  readonly dispatch: Dispatch;
}

/**
 * The next generation of an open turn (paused, interrupted, cancelled).
 * @throws CommandError `not_found`, `not_open`, `not_latest`, `run_live`, `unreconciled`, `history_deleted`, `command_reused`
 */
export function resumeRun(_context: CommandContext, _request: ResumeRun): Promise<SubmittedRun> {
  throw new Error('not built yet');
}
