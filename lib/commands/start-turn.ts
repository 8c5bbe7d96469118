import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { Limits } from '@/lib/domain/run/settings';
import type { CommandContext } from './context';
import type { Dispatch, SubmittedRun } from './dispatch';

export interface StartTurn {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  readonly sessionId: SessionId;
  readonly text: string;
  /** Replaces the limits of the session's last run; the rest of its settings stays. */
  readonly limits?: Limits;
  readonly dispatch: Dispatch;
}

/**
 * The next user message of a session, when no run of it is live; an open turn is superseded.
 * @throws CommandError `not_found`, `run_live`, `unreconciled`, `history_deleted`, `command_reused`
 */
export function startTurn(_context: CommandContext, _request: StartTurn): Promise<SubmittedRun> {
  throw new Error('not built yet');
}
