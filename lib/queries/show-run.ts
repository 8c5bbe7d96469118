import type { ProjectId, RunId } from '@/lib/domain/id';
import type { Completion } from '@/lib/domain/run/completion';
import type { RunStatus, WaitingReason } from '@/lib/domain/run/status';
import type { Sql } from '@/lib/store/sql';

/** The run object of the contract (§5); it only grows. Signals and totals cover the whole turn. */
export interface RunView
  extends Pick<
    Completion,
    'writes_applied' | 'writes_unknown' | 'effects' | 'done' | 'objections' | 'verification' | 'final_text' | 'usage' | 'tool_calls'
  > {
  readonly id: RunId;
  readonly status: RunStatus;
  readonly task: string;
  readonly project: string;
  readonly workspace: string;
  readonly session_id: string;
  readonly turn_id: string;
  readonly task_id: string;
  readonly generation: number;
  readonly parent_run_id?: string;
  readonly waiting_for?: WaitingReason;
  readonly model: string;
  readonly last_seq: number;
  readonly created_at: string;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly terminal?: Completion['terminal'];
  readonly exit_code?: number;
}

export function showRun(_sql: Sql, _request: { readonly projectId: ProjectId; readonly runId: RunId }): Promise<RunView | null> {
  throw new Error('not built yet');
}
