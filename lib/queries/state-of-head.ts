import { NOTHING_CARRIED } from '@/lib/domain/run/event';
import { initialState, type RunState, type VerificationState } from '@/lib/domain/run/state';
import { isHeld } from '@/lib/domain/run/status';
import type { Terminal } from '@/lib/domain/run/terminal';
import type { RunHead } from '@/lib/store/read-run-head';

/**
 * The fold of a run's log as its rows have it, so that a page need not read the log
 * (I13: the rows are the fold's result). What only the next decision of a worker needs
 * (failed attempts, truncations in a row) is left as at the beginning: views do not
 * show it, and nobody decides on this state.
 */
export function stateOfHead(head: RunHead): RunState {
  const { row, first } = head;
  const carried = 'carried' in first ? first.carried : NOTHING_CARRIED;
  const begun = initialState(
    row.runId,
    {
      reason: row.origin,
      project_id: row.projectId,
      session_id: row.sessionId,
      turn_id: row.turnId,
      turn_number: row.turnNumber,
      task_id: row.taskId,
      generation: row.generation,
      settings: row.settings,
      carried,
    },
    head.firstSeq,
  );
  const terminal = terminalOf(row.terminal);
  return {
    ...begun,
    status: row.status,
    waitingFor: row.waitingReason,
    leaseEpoch: row.leaseEpoch,
    seq: row.lastSeq,
    cancelledBy: terminal?.status === 'cancelled' ? terminal.by : null,
    terminal,
    atRest: row.completion !== null,
    rounds: head.responded,
    settledRequests: head.settled,
    openRequest: head.openRequest,
    calls: head.openCalls,
    unknownCalls: head.unknownCalls.map((call) => call.callId),
    unknownEffects: head.unknownCalls.filter((call) => call.effect !== 'none').map((call) => call.callId),
    tally: head.tally,
    edits: {
      attempted: carried.edits.attempted + head.edits.attempted,
      succeeded: carried.edits.succeeded + head.edits.succeeded,
      unknown: carried.edits.unknown + head.edits.unknown,
    },
    effects: head.effects,
    plan: head.plan?.items ?? carried.plan,
    blocker: terminal?.status === 'blocked' ? terminal.blocker : null,
    delivery: head.delivery,
    verification: verificationOf(head.verification),
    usage: head.usage,
    heldSince: isHeld(row.status) ? (row.startedAt?.getTime() ?? null) : null,
  };
}

function terminalOf(wire: RunHead['row']['terminal']): Terminal | null {
  const [status, payload] = Object.entries(wire ?? {})[0] ?? [];
  return status === undefined ? null : ({ status, ...payload } as Terminal);
}

function verificationOf(latest: RunHead['verification']): VerificationState {
  if (latest === null) return { status: 'none' };
  return latest.type === 'verification.started'
    ? { status: 'running', command: latest.payload.command }
    : { status: 'done', result: latest.payload };
}
