/** `pilothouse exec "task"`: runs a task to its end in this process. */
import { scriptedBy, scriptOf } from '@/lib/domain/model-name';
import { randomUUID } from 'node:crypto';
import type { Configuration } from '@/lib/config/environment';
import { submitRun, type SubmitRun } from '@/lib/commands/submit-run';
import { copySample, sampleScript } from '@/lib/sample/copy-sample';
import { SAMPLE_TASK, SAMPLE_VERIFIER } from '@/lib/sample/sample-task';
import type { System } from '@/lib/system';
import { usageError } from '../cli-error';
import { messageText } from '../input/message-text';
import { chooseModel, type ModelChoice } from '../input/model-choice';
import type { RunFlags } from '../input/run-flags';
import { checkAgainstSystem, runSettings } from '../input/run-settings';
import { workingDirectory } from '../input/working-directory';
import { say, type Shell } from '../shell';
import { driveTurn } from '../turn/drive-turn';
import { asUsage } from '../turn/as-usage';
import { localDispatch } from '../turn/local-dispatch';
import { openReporter } from '../turn/open-reporter';
import { withSystem } from '../with-system';

export async function exec(shell: Shell, configuration: Configuration, task: string | undefined, flags: RunFlags): Promise<number> {
  const plan = flags.sample === true ? planSample(shell, configuration, task, flags) : planTask(shell, configuration, task, flags);
  const named = { ...configuration, model: { ...configuration.model, name: plan.model.name } };
  return withSystem({ configuration: named, model: plan.model }, async (system) => {
    checkAgainstSystem(plan.settings, system);
    const directory = await plan.prepare();
    const reporter = openReporter(shell, flags);
    const submitted = await asUsage(submitRun(system.commands, submission(system, plan, directory, flags)));
    if (flags.json !== true) tellBeginning(shell, system, plan, directory, submitted.runId);
    return driveTurn(shell, system, submitted, reporter);
  });
}

interface Plan {
  readonly task: string;
  readonly model: ModelChoice;
  readonly settings: SubmitRun['settings'];
  /** Makes the workspace where it has to be made. @returns its canonical path. */
  readonly prepare: () => Promise<string>;
}

function planTask(shell: Shell, configuration: Configuration, given: string | undefined, flags: RunFlags): Plan {
  const task = messageText(given, 'task');
  const directory = workingDirectory(flags.cwd, shell.here);
  const model = chooseModel(flags, configuration.model, shell.here);
  return { task, model, settings: runSettings(flags, model.name), prepare: async () => directory };
}

/** A copy of the bundled repository, by default with the bundled script as its model. */
function planSample(shell: Shell, configuration: Configuration, given: string | undefined, flags: RunFlags): Plan {
  if (given !== undefined) throw usageError('--sample brings its own task', 'Leave the task out.');
  if (flags.cwd !== undefined) throw usageError('--sample works in a directory of its own; leave --cwd out');
  const scripted = flags.model === undefined && flags.baseUrl === undefined;
  const model = scripted
    ? { name: scriptedBy(sampleScript(configuration.packageRoot)) }
    : chooseModel(flags, configuration.model, shell.here);
  const settings = runSettings({ ...flags, verifier: flags.verifier ?? SAMPLE_VERIFIER }, model.name);
  return {
    task: SAMPLE_TASK,
    model,
    // The script's commands are ours; those of a model that thinks for itself are not.
    settings: { ...settings, unsandboxed: settings.unsandboxed || scripted },
    prepare: async () => {
      const directory = await copySample(configuration, randomUUID().slice(0, 8));
      say(shell, `pilothouse: the sample repository is ${directory}`);
      return directory;
    },
  };
}

function submission(system: System, plan: Plan, directory: string, flags: RunFlags): SubmitRun {
  return {
    projectId: system.projectId,
    commandId: flags.commandId ?? system.commands.newId('cmd'),
    actor: system.actor,
    task: system.intake(plan.task),
    workspace: { kind: 'directory', path: directory },
    settings: plan.settings,
    dispatch: localDispatch(system),
  };
}

function tellBeginning(shell: Shell, system: System, plan: Plan, directory: string, runId: string): void {
  say(shell, `pilothouse: ${runId} in ${directory}${plan.settings.access === 'read_only' ? ' (read only)' : ''}`);
  const script = scriptOf(plan.model.name);
  const model = script === null ? system.modelDescription : `the answers come from ${script}`;
  say(shell, `pilothouse: ${model}; ${SANDBOX_TEXT[system.sandbox]}`);
}

const SANDBOX_TEXT: Readonly<Record<System['sandbox'], string>> = {
  bubblewrap: 'commands run in a sandbox',
  unsandboxed: 'commands run without a sandbox',
  none: 'there is no sandbox here',
};
