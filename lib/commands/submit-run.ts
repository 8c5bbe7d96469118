import path from 'node:path';
import type { Actor } from '@/lib/domain/actor';
import type { ProjectId } from '@/lib/domain/id';
import { NOTHING_CARRIED } from '@/lib/domain/run/event';
import type { RunSettings } from '@/lib/domain/run/settings';
import { truncateBytes } from '@/lib/domain/truncate';
import { isBlank } from '@/lib/domain/visible';
import { findWorkspace } from '@/lib/store/find-workspace';
import { insertSession } from '@/lib/store/insert-session';
import { insertTurn } from '@/lib/store/insert-turn';
import { beginRun } from './begin-run';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';
import { leaseOf, submittedRunSchema, type Dispatch, type SubmittedRun } from './dispatch';

export interface SubmitRun {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  /** The user's message; redacted and bounded by the caller. */
  readonly task: string;
  readonly workspace:
    /** Canonical absolute path. */
    | { readonly kind: 'directory'; readonly path: string }
    /** What to clone, and below which directory the session's clone will be. */
    | { readonly kind: 'git'; readonly repository: string; readonly clonesRoot: string; /** Branch, tag or commit. */ readonly ref?: string };
  /** `resumable` says whether the session's history is kept. */
  readonly settings: RunSettings;
  readonly dispatch: Dispatch;
}

/** What the run list shows and searches; the whole text is the conversation's first message. */
const TASK_TEXT_BYTES = 8_000;
export const taskText = (text: string): string => truncateBytes(text, TASK_TEXT_BYTES).text;

/**
 * A new session with its first turn, task and run.
 * @throws CommandError `invalid`, `command_reused`
 */
export async function submitRun(context: CommandContext, request: SubmitRun): Promise<SubmittedRun> {
  const { projectId, commandId, actor, task, workspace, settings, dispatch } = request;
  validate(request);
  const { newId } = context;
  const command = { projectId, commandId, actor, kind: 'submit', payload: { task, workspace: placeOf(request), ...refOf(request), settings } };

  const { result, created } = await carryOut(context, command, submittedRunSchema, async (sql) => {
    const ids = { sessionId: newId('ses'), turnId: newId('trn'), taskId: newId('tsk'), runId: newId('run') };
    const workspacePath = workspace.kind === 'directory' ? workspace.path : path.join(workspace.clonesRoot, ids.sessionId);
    const workspaceId = await findWorkspace(sql, { newId: newId('wsp'), projectId, kind: workspace.kind, location: placeOf(request) });
    await insertSession(sql, {
      projectId,
      sessionId: ids.sessionId,
      rootTaskId: ids.taskId,
      workspaceId,
      workspacePath,
      gitRef: refOf(request).ref ?? null,
      access: settings.access,
      model: settings.model,
      saveHistory: settings.resumable,
      createdBy: actor,
    });
    const turnNumber = await insertTurn(sql, { projectId, sessionId: ids.sessionId, turnId: ids.turnId, openedBy: actor });
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
          session_id: ids.sessionId,
          turn_id: ids.turnId,
          turn_number: turnNumber,
          task_id: ids.taskId,
          generation: 1,
          settings,
          carried: NOTHING_CARRIED,
        },
        message: { origin: 'goal', text: task },
      },
      {
        projectId,
        runId: ids.runId,
        parent: null,
        taskText: taskText(task),
        workspacePath,
        holdsWorkspace: false,
        lease: leaseOf(dispatch),
        nonce: newId('cmd'),
      },
    );
    return { target: ids.runId, result: { ...ids, generation: 1 }, runs: [ids.runId] };
  });
  return { ...result, created };
}

const placeOf = ({ workspace }: SubmitRun): string => (workspace.kind === 'directory' ? workspace.path : workspace.repository);

const refOf = ({ workspace }: SubmitRun): { readonly ref?: string } =>
  workspace.kind === 'git' && workspace.ref !== undefined ? { ref: workspace.ref } : {};

function validate(request: SubmitRun): void {
  if (isBlank(request.task)) throw new CommandError('invalid', 'The task is empty.');
  const { workspace } = request;
  const directory = workspace.kind === 'directory' ? workspace.path : workspace.clonesRoot;
  if (!path.isAbsolute(directory) || placeOf(request).includes('\0') || directory.includes('\0')) {
    throw new CommandError('invalid', 'The workspace is not an absolute path.');
  }
}
