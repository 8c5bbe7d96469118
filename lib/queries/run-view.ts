import type { RunId } from '@/lib/domain/id';
import type { Completion } from '@/lib/domain/run/completion';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { RunStatus, WaitingReason } from '@/lib/domain/run/status';
import type { RunRow } from '@/lib/store/read-run';

/** Of the whole turn: as the run's end recorded them, or so far. */
type Signals = Pick<
  Completion,
  'writes_applied' | 'writes_unknown' | 'effects' | 'done' | 'objections' | 'verification' | 'final_text' | 'usage' | 'tool_calls'
>;

/** The run object of the contract (§5); it only grows. */
export interface RunView extends Signals {
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
  /** The actor that submitted it. */
  readonly created_by: string;
  readonly last_seq: number;
  readonly created_at: string;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly terminal?: Completion['terminal'];
  readonly exit_code?: number;
}

/**
 * @param totals of the run's turn; needed only where its end has recorded none: it is
 *   live, or goes on as another generation.
 */
export function runView(row: RunRow, totals: OtherTotals | null): RunView {
  return {
    id: row.runId,
    status: row.status,
    task: row.taskText,
    project: row.projectId,
    workspace: row.workspacePath,
    session_id: row.sessionId,
    turn_id: row.turnId,
    task_id: row.taskId,
    generation: row.generation,
    ...(row.parentRunId === null ? {} : { parent_run_id: row.parentRunId }),
    ...(row.waitingReason === null ? {} : { waiting_for: row.waitingReason }),
    model: row.settings.model,
    created_by: row.createdBy,
    last_seq: row.lastSeq,
    created_at: row.createdAt.toISOString(),
    ...(row.startedAt === null ? {} : { started_at: row.startedAt.toISOString() }),
    ...(row.endedAt === null ? {} : { ended_at: row.endedAt.toISOString() }),
    ...(row.completion === null ? signalsSoFar(row, totals) : signalsOf(row.completion)),
    ...(row.terminal === null ? {} : { terminal: row.terminal }),
    ...(row.exitCode === null ? {} : { exit_code: row.exitCode }),
  };
}

function signalsOf(completion: Completion): Signals {
  const { writes_applied, writes_unknown, effects, done, objections, verification, final_text, usage, tool_calls } = completion;
  return { writes_applied, writes_unknown, effects, done, objections, verification, final_text, usage, tool_calls };
}

function signalsSoFar(row: RunRow, totals: OtherTotals | null): Signals {
  if (totals === null) throw new Error(`${row.runId} has recorded no totals of its own`);
  const { verifier } = row.settings;
  const work = totals.writes_applied ? 'yes' : totals.writes_unknown > 0 ? 'unknown' : 'no';
  return {
    writes_applied: totals.writes_applied,
    writes_unknown: totals.writes_unknown,
    effects: totals.effects,
    done: { work, verified: verifier === null ? 'not_configured' : 'not_run', delivered: 'no' },
    objections: [],
    verification: verifier === null ? { state: 'not_configured' } : { state: 'not_run', reason: row.status, command: verifier },
    final_text: null,
    usage: totals.usage,
    tool_calls: totals.tool_calls,
  };
}
