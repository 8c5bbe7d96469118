import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunStatus } from '@/lib/domain/run/status';
import type { CommandContext } from './context';

export interface CancelRun {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  readonly runId: RunId;
}

export interface CancelledRun {
  readonly runId: RunId;
  /** `cancelled` where nobody held it, else `cancelling`. */
  readonly status: RunStatus;
  readonly created: boolean;
}

/** @throws CommandError `not_found`, `run_ended`, `command_reused` */
export function cancelRun(_context: CommandContext, _request: CancelRun): Promise<CancelledRun> {
  throw new Error('not built yet');
}
