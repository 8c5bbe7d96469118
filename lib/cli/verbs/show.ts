/** `pilothouse show <run_id>`: one run. */
import type { Configuration } from '@/lib/config/environment';
import { isId } from '@/lib/domain/id';
import { showRun, type RunView } from '@/lib/queries/show-run';
import { CliError, usageError } from '../cli-error';
import { EXIT } from '../exit-code';
import { paintFor, wantsColour } from '../output/paint';
import { runPage } from '../output/run-page';
import type { Shell } from '../shell';
import { settingsOf } from '../turn/read-events';
import { withSystem } from '../with-system';

export function show(shell: Shell, configuration: Configuration, runId: string, flags: { readonly json?: boolean }): Promise<number> {
  if (!isId('run', runId)) throw usageError(`${runId} is not a run id`, 'Run ids begin with run_.');
  return withSystem({ configuration }, async (system) => {
    const run = await showRun(system.store, { projectId: system.projectId, runId });
    if (run === null) throw new CliError(`there is no run ${runId}`);
    const resumable = flags.json !== true && ((await settingsOf(system, runId))?.resumable ?? false);
    return showOne(shell, run, resumable, flags);
  });
}

/** @returns the exit code. */
export function showOne(shell: Shell, run: RunView, resumable: boolean, flags: { readonly json?: boolean }): number {
  if (flags.json === true) {
    shell.out.write(`${JSON.stringify(run)}\n`);
    return EXIT.ok;
  }
  const paint = paintFor(wantsColour(shell.out.isTerminal, shell.env));
  const lines = runPage(run, { resumable, program: shell.program }, new Date());
  shell.out.write(lines.map((line) => `${paint(line)}\n`).join(''));
  return EXIT.ok;
}
