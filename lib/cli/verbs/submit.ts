/** `pilothouse submit "task"`: queues a run for worker processes and does not wait for it. */
import type { Configuration } from '@/lib/config/environment';
import { submitRun } from '@/lib/commands/submit-run';
import { showRun } from '@/lib/queries/show-run';
import { mayBeWorkspace } from '@/lib/system/workspace-choice';
import { usageError } from '../cli-error';
import { EXIT } from '../exit-code';
import { messageText } from '../input/message-text';
import type { RunFlags } from '../input/run-flags';
import { checkAgainstSystem, runSettings } from '../input/run-settings';
import { workingDirectory } from '../input/working-directory';
import type { Shell } from '../shell';
import { asUsage } from '../turn/as-usage';
import { withSystem } from '../with-system';

/** Only workers will drive it: what they would refuse is refused now. @throws CliError (usage) */
async function sharedDirectory(shell: Shell, configuration: Configuration, flags: RunFlags): Promise<string> {
  const directory = workingDirectory(flags.cwd, shell.here);
  const roots = configuration.workspaceRoots.server;
  if (await mayBeWorkspace(configuration, directory)) return directory;
  throw usageError(
    `${directory} lies in no directory in which workers may work (${roots.join(', ')})`,
    'Set PILOTHOUSE_WORKSPACE_ROOTS, for the workers too, or work here and now with "exec".',
  );
}

export async function submit(shell: Shell, configuration: Configuration, given: string | undefined, flags: RunFlags): Promise<number> {
  const task = messageText(given, 'task');
  const directory = await sharedDirectory(shell, configuration, flags);
  const model = flags.model ?? configuration.model.name;
  if (model === undefined) throw usageError('no model is named', 'Give --model NAME, or set PILOTHOUSE_MODEL. Where it answers is for the workers to know.');
  // Whoever submits may go on with it later: there is no process whose end could delete it.
  const settings = runSettings({ ...flags, saveHistory: true }, model);
  return withSystem({ configuration }, async (system) => {
    checkAgainstSystem(settings, system);
    const { runId } = await asUsage(
      submitRun(system.commands, {
        projectId: system.projectId,
        commandId: flags.commandId ?? system.commands.newId('cmd'),
        actor: system.actor,
        task: system.intake(task),
        workspace: { kind: 'directory', path: directory },
        settings,
        dispatch: { kind: 'worker' },
      }),
    );
    const shown = flags.json === true ? JSON.stringify(await showRun(system.store, { projectId: system.projectId, runId })) : runId;
    shell.out.write(`${shown}\n`);
    return EXIT.ok;
  });
}
