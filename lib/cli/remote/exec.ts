/** `exec` and `submit` with a control plane elsewhere: its workers do the task; exec shows it to its end. */
import { scriptOf } from '@/lib/domain/model-name';
import { EXIT } from '../exit-code';
import type { RunFlags } from '../input/run-flags';
import { say, type Shell } from '../shell';
import { beginRun, mayAnswerForSample } from './begin-run';
import type { ControlPlane } from './control-plane';
import { asWrongCall } from './control-plane-error';
import { submissionBody } from './request-bodies';
import { watchRemoteTurn, type Begun } from './watch-remote-turn';

export async function remoteExec(shell: Shell, plane: ControlPlane, task: string | undefined, flags: RunFlags): Promise<number> {
  const begun = await asWrongCall(submitTo(shell, plane, task, flags));
  const { run } = begun;
  if (flags.json !== true) {
    say(shell, `pilothouse: ${run.id} in ${run.workspace}${flags.readOnly === true ? ' (read only)' : ''}, at ${plane.url}`);
    say(shell, `pilothouse: ${scriptOf(run.model) === null ? run.model : 'the answers come from a script'}`);
  }
  return watchRemoteTurn(shell, plane, begun, flags);
}

export async function remoteSubmit(shell: Shell, plane: ControlPlane, task: string | undefined, flags: RunFlags): Promise<number> {
  // Whoever submits may go on with it later.
  const { run } = await asWrongCall(submitTo(shell, plane, task, { ...flags, saveHistory: true }));
  shell.out.write(`${flags.json === true ? JSON.stringify(run) : run.id}\n`);
  return EXIT.ok;
}

async function submitTo(shell: Shell, plane: ControlPlane, task: string | undefined, flags: RunFlags): Promise<Begun> {
  const body = submissionBody(shell.here, task, flags);
  const scriptedSample = flags.sample === true && flags.model === undefined;
  const unsandboxed = flags.unsandboxed === true || (scriptedSample && (await mayAnswerForSample(plane)));
  return beginRun(plane, '/api/v1/runs', { ...body, unsandboxed }, flags);
}
