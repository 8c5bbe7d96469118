import type { ProjectId, RunId, SessionId, TaskId, TurnId } from '@/lib/domain/id';
import type { Store } from './database';

/** A run that is ours now, with its `run.started` in the log; its state is `loadRunState`'s. */
export interface ClaimedRun {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly taskId: TaskId;
  readonly generation: number;
  readonly leaseEpoch: number;
  readonly version: number;
  readonly workspacePath: string;
}

export interface ClaimRequest {
  /** Names the process in `run.started{worker}`. */
  readonly owner: string;
  readonly leaseSeconds: number;
  /** At most so many. */
  readonly limit: number;
}

export function claimRuns(_store: Store, _request: ClaimRequest): Promise<readonly ClaimedRun[]> {
  throw new Error('not built yet');
}
