import type { JsonValue } from '@/lib/domain/json';

/**
 * Why a command did nothing.
 *
 * - `not_found`: no such thing in this project.
 * - `invalid`: the request cannot be carried out as it is.
 * - `forbidden`: the actor's role does not allow it.
 * - `command_reused`: the command id was used with other input.
 * - `run_ended`: the run has ended and never changes.
 * - `run_live`: a run of the session is live.
 * - `not_open`: the turn is closed; nothing can be resumed.
 * - `not_latest`: a later generation of the turn exists.
 * - `unreconciled`: calls with an unknown outcome wait for a statement.
 * - `history_deleted`: the session's messages were not kept.
 * - `last_admin`: a project would be left without an admin.
 * - `already_member`: the person is a member of the project.
 */
export type CommandErrorCode =
  | 'not_found'
  | 'invalid'
  | 'forbidden'
  | 'command_reused'
  | 'run_ended'
  | 'run_live'
  | 'not_open'
  | 'not_latest'
  | 'unreconciled'
  | 'history_deleted'
  | 'last_admin'
  | 'already_member';

export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    readonly code: CommandErrorCode,
    /** For people. */
    message: string,
    /** The state that stands against it, where there is one. */
    readonly current: Readonly<Record<string, JsonValue>> = {},
  ) {
    super(message);
  }

  /** 409 rather than 404, 400 or 403. */
  get isConflict(): boolean {
    return this.code !== 'not_found' && this.code !== 'invalid' && this.code !== 'forbidden';
  }
}
