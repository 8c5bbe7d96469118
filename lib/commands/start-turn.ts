import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { Limits } from '@/lib/domain/run/settings';
import { carryToNewTurn } from '@/lib/domain/run/state';
import { leavesTurnOpen } from '@/lib/domain/run/status';
import { isBlank } from '@/lib/domain/visible';
import { insertTurn } from '@/lib/store/insert-turn';
import { latestRootRun } from '@/lib/store/latest-root-run';
import { foldTo } from '@/lib/store/load-run-state';
import { lockSession } from '@/lib/store/lock-session';
import type { RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { supersedeTurn } from '@/lib/store/supersede-turn';
import { beginRun } from './begin-run';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';
import { leaseOf, submittedRunSchema, type Dispatch, type SubmittedRun } from './dispatch';
import { refuseAnyLive, refuseUnkept, refuseUnreconciled } from './refusals';
import { taskText } from './submit-run';

export interface StartTurn {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  readonly sessionId: SessionId;
  /** Redacted and bounded by the caller. */
  readonly text: string;
  /** Replaces the limits of the session's last run; the rest of its settings stays. */
  readonly limits?: Limits;
  readonly dispatch: Dispatch;
}

/**
 * The next user message of a session, when no run of it is live; an open turn is superseded.
 * @throws CommandError `not_found`, `invalid`, `run_live`, `unreconciled`, `history_deleted`, `command_reused`
 */
export async function startTurn(context: CommandContext, request: StartTurn): Promise<SubmittedRun> {
  const { projectId, commandId, actor, sessionId, text, limits, dispatch } = request;
  if (isBlank(text)) throw new CommandError('invalid', 'The message is empty.');
  const command = { projectId, commandId, actor, kind: 'message', payload: { session_id: sessionId, text, limits } };

  const { result, created } = await carryOut(context, command, submittedRunSchema, async (sql) => {
    const last = await restingRun(sql, request);
    if (leavesTurnOpen(last.status)) await supersedeTurn(sql, last);
    const state = await foldTo(sql, last);
    const runId = context.newId('run');
    const turnId = context.newId('trn');
    const turnNumber = await insertTurn(sql, { projectId, sessionId, turnId, openedBy: actor });
    await beginRun(
      sql,
      {
        type: 'submit',
        commandId,
        kind: 'submit',
        actor,
        first: {
          reason: 'submitted',
          project_id: projectId,
          session_id: sessionId,
          turn_id: turnId,
          turn_number: turnNumber,
          task_id: last.taskId,
          generation: 1,
          settings: limits === undefined ? state.settings : { ...state.settings, limits },
          carried: carryToNewTurn(state),
        },
        message: { origin: last.status === 'blocked' ? 'answer' : 'goal', text },
      },
      {
        projectId,
        runId,
        parent: null,
        taskText: taskText(text),
        workspacePath: last.workspacePath,
        holdsWorkspace: false,
        lease: leaseOf(dispatch),
        nonce: randomUUID(),
      },
    );
    return { target: runId, result: { runId, sessionId, turnId, taskId: last.taskId, generation: 1 }, runs: [runId] };
  });
  return { ...result, created };
}

/** The session's last root run, under the session's lock, where nothing of it is live or in doubt. */
async function restingRun(sql: Sql, { projectId, sessionId }: StartTurn): Promise<RunRow> {
  const session = await lockSession(sql, { projectId, sessionId });
  const last = session === null ? null : await latestRootRun(sql, { projectId, sessionId });
  if (session === null || last === null) throw new CommandError('not_found', 'There is no such session.');
  await refuseAnyLive(sql, last);
  refuseUnkept(session);
  if (leavesTurnOpen(last.status)) await refuseUnreconciled(sql, last);
  return last;
}
