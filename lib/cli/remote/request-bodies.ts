/** What the options of a run mean as the body of a request. Pure. */
import { SCRIPTED, scriptedBy, scriptOf } from '@/lib/domain/model-name';
import path from 'node:path';
import type { Limits } from '@/lib/domain/run/settings';
import { usageError } from '../cli-error';
import { givesLimits, limitsFrom } from '../input/limits';
import { messageText } from '../input/message-text';
import type { RunFlags } from '../input/run-flags';
import { verifierText } from '../input/run-settings';
import { SAMPLE_TASK, SAMPLE_VERIFIER } from '@/lib/sample/sample-task';


/** Whose settings they are is said by the control plane alone: what is not given here is its default, not this machine's. */
export function submissionBody(here: string, given: string | undefined, flags: RunFlags): Readonly<Record<string, unknown>> {
  refuseBaseUrl(flags);
  const place = flags.sample === true ? samplePlace(given, flags) : { task: messageText(given, 'task'), workspace: { directory: directoryThere(flags.cwd, here) } };
  const sampleVerifier = flags.sample === true ? SAMPLE_VERIFIER : undefined;
  const model = flags.model === undefined && flags.sample === true ? SCRIPTED : modelThere(flags.model, here);
  return {
    ...place,
    access: flags.readOnly === true ? 'read_only' : 'read_write',
    policy: flags.policy ?? 'auto',
    ...(model === undefined ? {} : { model }),
    verifier: verifierText(flags) ?? sampleVerifier ?? null,
    ...(givesLimits(flags) ? { limits: limitsFrom(flags) } : {}),
    save_history: flags.saveHistory === true,
    unsandboxed: flags.unsandboxed === true,
  };
}

export function refuseBaseUrl({ baseUrl }: { readonly baseUrl?: string }): void {
  if (baseUrl !== undefined) throw usageError("--base-url and a control plane elsewhere exclude each other: its own endpoint answers", 'Leave --base-url out.');
}

/** A resume keeps the limits that it does not name. */
export const limitsBody = (flags: RunFlags, before: Limits): { readonly limits?: Limits } =>
  givesLimits(flags) ? { limits: limitsFrom(flags, before) } : {};

function samplePlace(given: string | undefined, flags: RunFlags) {
  if (given !== undefined) throw usageError('--sample brings its own task', 'Leave the task out.');
  if (flags.cwd !== undefined) throw usageError('--sample works in a directory of its own; leave --cwd out');
  return { task: SAMPLE_TASK, workspace: { sample: true } };
}

/** Of the control plane's machine, so nothing of it is looked at here; where both are the same, what is typed means what it says. */
function directoryThere(given: string | undefined, here: string): string {
  if (given === '' || given?.includes('\0') === true) throw usageError('--cwd is not a path');
  return path.resolve(here, given ?? '.');
}

function modelThere(given: string | undefined, here: string): string | undefined {
  if (given?.trim() === '') throw usageError('--model is empty');
  const script = given === undefined ? null : scriptOf(given);
  if (script === '') throw usageError('--model scripted: names no file', 'Give the script: --model scripted:FILE');
  return script === null ? given : scriptedBy(path.resolve(here, script));
}
