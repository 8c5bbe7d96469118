/** `runs`, `show` and `cancel` with a control plane elsewhere. */
import { isId, type RunId } from '@/lib/domain/id';
import { CliError, usageError } from '../cli-error';
import { EXIT } from '../exit-code';
import { say, type Shell } from '../shell';
import type { CancelFlags } from '../verbs/cancel';
import { listLength, showPage, type RunsFlags } from '../verbs/runs';
import { showOne } from '../verbs/show';
import { runAnswer, runsAnswer } from './answers';
import { newCommandId, type ControlPlane } from './control-plane';
import { isRefusal } from './control-plane-error';
import { settingsThere } from './settings-there';

export async function remoteRuns(shell: Shell, plane: ControlPlane, flags: RunsFlags): Promise<number> {
  const query = new URLSearchParams({ limit: String(listLength(flags)) });
  if (flags.status !== undefined) query.set('status', flags.status.join(','));
  if (flags.cursor !== undefined) query.set('cursor', flags.cursor);
  try {
    const { value: page } = await plane.ask({ method: 'GET', path: `/api/v1/runs?${query.toString()}`, schema: runsAnswer });
    return showPage(shell, page, flags);
  } catch (error) {
    if (isRefusal(error, 'invalid_cursor')) throw usageError('--cursor is not one that an earlier page gave');
    throw error;
  }
}

export async function remoteShow(shell: Shell, plane: ControlPlane, given: string, flags: { readonly json?: boolean }): Promise<number> {
  const runId = runIdOf(given);
  const { value: run } = await found(runId, plane.ask({ method: 'GET', path: `/api/v1/runs/${runId}`, schema: runAnswer }));
  const resumable = flags.json !== true && ((await settingsThere(plane, runId))?.resumable ?? false);
  return showOne(shell, run, resumable, flags);
}

export async function remoteCancel(shell: Shell, plane: ControlPlane, given: string, flags: CancelFlags): Promise<number> {
  const runId = runIdOf(given);
  const commandId = flags.commandId ?? newCommandId();
  const { value: run } = await found(runId, plane.ask({ method: 'POST', path: `/api/v1/runs/${runId}/cancel`, schema: runAnswer, commandId }));
  if (flags.json === true) shell.out.write(`${JSON.stringify(run)}\n`);
  else say(shell, `${runId} is ${run.status}`);
  return EXIT.ok;
}

function runIdOf(given: string): RunId {
  if (!isId('run', given)) throw usageError(`${given} is not a run id`, 'Run ids begin with run_.');
  return given;
}

async function found<T>(runId: RunId, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error, 'not_found')) throw new CliError(`there is no run ${runId}`);
    throw error;
  }
}
