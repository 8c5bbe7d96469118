import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, RunId, SessionId } from '@/lib/domain/id';
import type { Limits } from '@/lib/domain/run/settings';
import { isLive, leavesTurnOpen } from '@/lib/domain/run/status';
import { latestRootRun } from '@/lib/store/latest-root-run';
import { foldTo } from '@/lib/store/load-run-state';
import { lockSession } from '@/lib/store/lock-session';
import { readRun, type RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';
import { submittedRunSchema, type Dispatch, type SubmittedRun } from './dispatch';
import { beginNextGeneration } from './next-generation';
import { refuseLive, refuseUnkept, refuseUnreconciled } from './refusals';

export interface ResumeRun {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  /** A run, or the latest root run of a session. */
  readonly target: { readonly runId: RunId } | { readonly sessionId: SessionId };
  /** Replaces the limits of the turn: a resume may raise them. */
  readonly limits?: Limits;
  readonly dispatch: Dispatch;
}

/**
 * The next generation of an open turn (paused, interrupted, cancelled).
 * @throws CommandError `not_found`, `not_open`, `not_latest`, `run_live`, `unreconciled`, `history_deleted`, `command_reused`
 */
export async function resumeRun(context: CommandContext, request: ResumeRun): Promise<SubmittedRun> {
  const { projectId, commandId, actor, target, limits, dispatch } = request;
  const command = { projectId, commandId, actor, kind: 'resume', payload: { target, limits } };
  const { result, created } = await carryOut(context, command, submittedRunSchema, async (sql) => {
    const ended = await openRun(sql, request);
    const runId = context.newId('run');
    await beginNextGeneration(sql, {
      runId,
      ended,
      state: await foldTo(sql, ended),
      kind: 'resume',
      commandId,
      actor,
      ...(limits === undefined ? {} : { limits }),
      dispatch,
      inheritsWorkspace: false,
    });
    const { sessionId, turnId, taskId } = ended;
    return { target: runId, result: { runId, sessionId, turnId, taskId, generation: ended.generation + 1 }, runs: [runId] };
  });
  return { ...result, created };
}

/** The latest root run, under the session's lock, where its turn can go on. */
async function openRun(sql: Sql, { projectId, target }: ResumeRun): Promise<RunRow> {
  const asked = 'runId' in target ? await readRun(sql, { projectId, runId: target.runId }) : null;
  const sessionId = 'sessionId' in target ? target.sessionId : asked?.sessionId;
  const session = sessionId === undefined ? null : await lockSession(sql, { projectId, sessionId });
  if (session === null) throw new CommandError('not_found', 'runId' in target ? 'There is no such run.' : 'There is no such session.');

  const latest = await latestRootRun(sql, { projectId, sessionId: session.sessionId });
  if (latest === null) throw new CommandError('not_found', 'The session has no run.');
  if (asked !== null && asked.runId !== latest.runId) refuseOlder(asked, latest);
  if (isLive(latest.status)) refuseLive(latest);
  if (!leavesTurnOpen(latest.status)) {
    throw new CommandError('not_open', `The turn is closed: its last run is ${latest.status}. A new message begins the next turn.`, {
      run_id: latest.runId,
      status: latest.status,
    });
  }
  refuseUnkept(session);
  await refuseUnreconciled(sql, latest);
  return latest;
}

function refuseOlder(asked: RunRow, latest: RunRow): never {
  const current = { run_id: latest.runId, status: latest.status, generation: latest.generation };
  if (asked.turnId === latest.turnId) {
    throw new CommandError('not_latest', `The turn has gone on: its latest run is ${latest.runId} (${latest.status}).`, current);
  }
  throw new CommandError('not_open', 'The turn was closed by a later message.', current);
}
