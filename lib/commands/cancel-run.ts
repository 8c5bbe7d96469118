import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, RunId } from '@/lib/domain/id';
import { after, decide } from '@/lib/domain/run/decide';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { foldTo } from '@/lib/store/load-run-state';
import { lockRun } from '@/lib/store/read-run';
import { transitionWithin } from '@/lib/store/transition';
import { turnTotals } from '@/lib/store/turn-totals';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
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

const cancelledSchema = z.object({ status: z.enum(RUN_STATUSES) });

/**
 * Cancels a run in any state. Where nobody holds it, it ends at once, without a worker
 * and without a model call; a holder sees the raised version with its next write, or
 * with its heartbeat.
 * @throws CommandError `not_found`, `run_ended`, `command_reused`
 */
export async function cancelRun(context: CommandContext, request: CancelRun): Promise<CancelledRun> {
  const { projectId, commandId, actor, runId } = request;
  const command = { projectId, commandId, actor, kind: 'cancel', payload: { run_id: runId } };
  const { result, created } = await carryOut(context, command, cancelledSchema, async (sql) => {
    const row = await lockRun(sql, { projectId, runId });
    if (row === null) throw new CommandError('not_found', 'There is no such run.');
    const before = await foldTo(sql, row);
    const others = await turnTotals(sql, { projectId, turnId: row.turnId, exceptRunId: runId });
    const decision = decide(before, { type: 'cancel', commandId, by: actor, others });
    if (!decision.ok) {
      throw new CommandError('run_ended', `The run has ended: it is ${row.status}.`, { run_id: runId, status: row.status });
    }
    const state = after(before, decision.events);
    if (decision.events.length > 0) {
      await transitionWithin(sql, {
        projectId,
        runId,
        leaseEpoch: row.leaseEpoch,
        version: row.version,
        nonce: randomUUID(),
        before,
        after: state,
        events: decision.events,
      });
    }
    return { target: runId, result: { status: state.status }, runs: [runId] };
  });
  return { runId, status: result.status, created };
}
