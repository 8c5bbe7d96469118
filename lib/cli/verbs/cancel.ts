/** `pilothouse cancel <run_id>`: asks whoever drives the run to end it, or ends it where nobody does. */
import type { Configuration } from '@/lib/config/environment';
import { cancelRun } from '@/lib/commands/cancel-run';
import { isId } from '@/lib/domain/id';
import { showRun } from '@/lib/queries/show-run';
import { usageError } from '../cli-error';
import { EXIT } from '../exit-code';
import { say, type Shell } from '../shell';
import { withSystem } from '../with-system';

export interface CancelFlags {
  readonly json?: boolean;
  readonly commandId?: string;
}

export function cancel(shell: Shell, configuration: Configuration, runId: string, flags: CancelFlags): Promise<number> {
  if (!isId('run', runId)) throw usageError(`${runId} is not a run id`, 'Run ids begin with run_.');
  return withSystem({ configuration }, async (system) => {
    const { projectId, actor } = system;
    const { status } = await cancelRun(system.commands, { projectId, actor, runId, commandId: flags.commandId ?? system.commands.newId('cmd') });
    if (flags.json === true) shell.out.write(`${JSON.stringify(await showRun(system.store, { projectId, runId }))}\n`);
    else say(shell, `${runId} is ${status}`);
    return EXIT.ok;
  });
}
