/** `pilothouse runs`: the latest runs, newest first. */
import type { Configuration } from '@/lib/config/environment';
import type { RunStatus } from '@/lib/domain/run/status';
import { listRuns, type RunPage } from '@/lib/queries/list-runs';
import { usageError } from '../cli-error';
import { EXIT } from '../exit-code';
import { paintFor, wantsColour } from '../output/paint';
import { runsTable } from '../output/runs-table';
import { say, type Shell } from '../shell';
import { withSystem } from '../with-system';

export interface RunsFlags {
  readonly json?: boolean;
  readonly status?: readonly RunStatus[];
  readonly limit?: number;
  readonly cursor?: string;
}

const SHOWN = 20;
export const listLength = (flags: RunsFlags): number => flags.limit ?? SHOWN;

/** Of a reader that is no terminal: wide enough for a task to be told from another. */
const PIPE_WIDTH = 160;

export function runs(shell: Shell, configuration: Configuration, flags: RunsFlags): Promise<number> {
  return withSystem({ configuration }, async (system) => {
    const page = await listRuns(system.store, {
      projectId: system.projectId,
      limit: listLength(flags),
      ...(flags.status === undefined ? {} : { statuses: flags.status }),
      ...(flags.cursor === undefined ? {} : { cursor: flags.cursor }),
    });
    if (page === null) throw usageError('--cursor is not one that an earlier page gave');
    return showPage(shell, page, flags);
  });
}

/** @returns the exit code. */
export function showPage(shell: Shell, page: RunPage, flags: RunsFlags): number {
  if (flags.json === true) {
    shell.out.write(`${JSON.stringify(page)}\n`);
    return EXIT.ok;
  }
  if (page.items.length === 0) {
    say(shell, 'There are no such runs.');
    return EXIT.ok;
  }
  const paint = paintFor(wantsColour(shell.out.isTerminal, shell.env));
  const width = shell.out.isTerminal ? shell.out.columns : PIPE_WIDTH;
  shell.out.write(runsTable(page.items, new Date(), width).map((line) => `${paint(line)}\n`).join(''));
  if (page.next_cursor !== null) say(shell, `There are more: ${shell.program} runs --cursor ${page.next_cursor}`);
  return EXIT.ok;
}
