/** `exec resume` and `resume` with a control plane elsewhere. */
import { isId, type RunId, type SessionId } from '@/lib/domain/id';
import { NO_LIMITS } from '@/lib/domain/run/settings';
import { usageError } from '../cli-error';
import { givesLimits } from '../input/limits';
import { messageText } from '../input/message-text';
import type { RunFlags } from '../input/run-flags';
import type { Shell } from '../shell';
import { refuseWidening } from '../verbs/resume';
import { runsAnswer } from './answers';
import { beginRun } from './begin-run';
import type { ControlPlane } from './control-plane';
import { asWrongCall, isRefusal } from './control-plane-error';
import { limitsBody, refuseBaseUrl } from './request-bodies';
import { settingsThere } from './settings-there';
import { watchRemoteTurn, type Begun } from './watch-remote-turn';

export async function remoteExecResume(shell: Shell, plane: ControlPlane, session: string, text: string | undefined, flags: RunFlags): Promise<number> {
  if (!isId('ses', session)) throw usageError(`${session} is not a session id`, 'Session ids begin with ses_; a run goes on with "resume <run_id>".');
  const message = text === undefined ? null : messageText(text, 'message');
  refuse(flags);
  const begun = await asWrongCall(message === null ? resumeSession(plane, session, flags) : nextTurn(plane, session, message, flags));
  return watchRemoteTurn(shell, plane, begun, flags);
}

export async function remoteResume(shell: Shell, plane: ControlPlane, run: string, flags: RunFlags): Promise<number> {
  if (!isId('run', run)) throw usageError(`${run} is not a run id`, 'Run ids begin with run_; a session goes on with "exec resume <session_id>".');
  refuse(flags);
  return watchRemoteTurn(shell, plane, await asWrongCall(resumeRun(plane, run, flags)), flags);
}

function refuse(flags: RunFlags): void {
  refuseBaseUrl(flags);
  refuseWidening(flags);
}

async function nextTurn(plane: ControlPlane, session: SessionId, text: string, flags: RunFlags): Promise<Begun> {
  const [latest] = givesLimits(flags) ? await runsOf(plane, session) : [];
  return beginRun(plane, `/api/v1/sessions/${session}/turns`, { text, ...(await limitsOver(plane, latest, flags)) }, flags);
}

async function resumeRun(plane: ControlPlane, run: RunId, flags: RunFlags): Promise<Begun> {
  return beginRun(plane, `/api/v1/runs/${run}/resume`, await limitsOver(plane, run, flags), flags);
}

/**
 * The API resumes runs, not sessions. A command id that was carried out before was so
 * with the run that was the latest then; naming that run again gives what it gave, and
 * begins nothing.
 */
async function resumeSession(plane: ControlPlane, session: SessionId, flags: RunFlags): Promise<Begun> {
  let reused: unknown = null;
  for (const run of await runsOf(plane, session)) {
    try {
      return await resumeRun(plane, run, flags);
    } catch (error) {
      if (!isRefusal(error, 'command_reused')) throw error;
      reused = error;
    }
  }
  throw reused;
}

const MOST_RUNS = 50;

/** Newest first, at least one. */
async function runsOf(plane: ControlPlane, session: SessionId): Promise<readonly RunId[]> {
  const { value } = await plane.ask({ method: 'GET', path: `/api/v1/runs?session=${session}&limit=${MOST_RUNS}`, schema: runsAnswer });
  if (value.items.length === 0) throw usageError(`there is no session ${session}`);
  return value.items.map(({ id }) => id);
}

async function limitsOver(plane: ControlPlane, run: RunId | undefined, flags: RunFlags) {
  if (run === undefined || !givesLimits(flags)) return {};
  return limitsBody(flags, (await settingsThere(plane, run))?.limits ?? NO_LIMITS);
}
