import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/domain/actor';
import type { RunId } from '@/lib/domain/id';
import type { Limits } from '@/lib/domain/run/settings';
import { carry, type RunState } from '@/lib/domain/run/state';
import type { RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { beginRun } from './begin-run';
import { leaseOf, type Dispatch } from './dispatch';

/** Generation n + 1 of the same task in the same turn: it goes on from what the ended one had reached. */
export async function beginNextGeneration(
  sql: Sql,
  request: {
    readonly runId: RunId;
    readonly ended: RunRow;
    readonly state: RunState;
    readonly kind: 'resume' | 'continue';
    readonly commandId: string;
    readonly actor: Actor;
    readonly limits?: Limits;
    readonly dispatch: Dispatch;
    /** The ended run held its directory until this transaction, and leaves it to this one. */
    readonly inheritsWorkspace: boolean;
  },
): Promise<void> {
  const { runId, ended, state, kind, commandId, actor, limits, dispatch, inheritsWorkspace } = request;
  await beginRun(
    sql,
    {
      type: 'submit',
      commandId,
      kind,
      actor,
      first: {
        reason: kind === 'resume' ? 'resumed' : 'continued',
        project_id: ended.projectId,
        session_id: ended.sessionId,
        turn_id: ended.turnId,
        turn_number: ended.turnNumber,
        task_id: ended.taskId,
        generation: ended.generation + 1,
        settings: limits === undefined ? state.settings : { ...state.settings, limits },
        carried: carry(state),
      },
    },
    {
      projectId: ended.projectId,
      runId,
      parent: ended.parentRunId === null ? null : { runId: ended.parentRunId, rootRunId: ended.rootRunId },
      taskText: ended.taskText,
      workspacePath: ended.workspacePath,
      holdsWorkspace: inheritsWorkspace,
      lease: leaseOf(dispatch),
      nonce: randomUUID(),
    },
  );
}
