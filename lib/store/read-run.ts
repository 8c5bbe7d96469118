import type { ProjectId, RunId, SessionId, TaskId, TurnId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { RunStatus, WaitingReason } from '@/lib/domain/run/status';
import type { Sql } from './sql';

export interface RunRef {
  readonly projectId: ProjectId;
  readonly runId: RunId;
}

export interface RunRow extends RunRef {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly turnNumber: number;
  readonly taskId: TaskId;
  readonly generation: number;
  readonly parentRunId: RunId | null;
  readonly rootRunId: RunId;
  readonly origin: 'submitted' | 'resumed' | 'continued';
  readonly taskText: string;
  readonly createdBy: string;
  readonly workspacePath: string;
  readonly status: RunStatus;
  readonly waitingReason: WaitingReason | null;
  /** `{status: payload}`. */
  readonly terminal: JsonValue;
  readonly exitCode: number | null;
  /** Payload of `session.completed`. */
  readonly completion: JsonValue;
  readonly dispatch: 'worker' | 'local';
  readonly holdsWorkspace: boolean;
  readonly leaseOwner: string | null;
  readonly leaseEpoch: number;
  readonly version: number;
  readonly lastSeq: number;
  readonly createdAt: Date;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export function readRun(_sql: Sql, _ref: RunRef): Promise<RunRow | null> {
  throw new Error('not built yet');
}
