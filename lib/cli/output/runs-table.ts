/** `pilothouse runs`: one line a run. Pure. */
import type { RunView } from '@/lib/queries/show-run';
import { age, count } from './amounts';
import type { ProgressLine } from './progress';
import { STATUS_TEXT } from './status-text';
import { oneLine } from './terminal-text';

type ListedRun = Pick<RunView, 'id' | 'status' | 'task' | 'created_at' | 'usage'>;

const HEAD = ['RUN', 'STATUS', 'AGE', 'TOKENS', 'TASK'] as const;
const NARROWEST_TASK = 20;

/** @param width of the screen; the task gets what the other columns leave. */
export function runsTable(runs: readonly ListedRun[], now: Date, width: number): readonly ProgressLine[] {
  const rows = runs.map((run) => ({
    tone: STATUS_TEXT[run.status].tone,
    cells: [
      run.id,
      `${STATUS_TEXT[run.status].mark} ${STATUS_TEXT[run.status].word}`,
      age(now.getTime() - Date.parse(run.created_at)),
      tokens(run.usage),
    ],
    task: run.task,
  }));
  const widths = HEAD.slice(0, 4).map((title, column) => Math.max(title.length, ...rows.map(({ cells }) => (cells[column] ?? '').length)));
  const left = Math.max(NARROWEST_TASK, width - widths.reduce((sum, one) => sum + one + 2, 0));
  const join = (cells: readonly string[], task: string): string =>
    [...cells.map((cell, column) => (column >= 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))), task].join('  ');
  return [
    { tone: 'dim', text: join(HEAD.slice(0, 4), HEAD[4]) },
    ...rows.map(({ tone, cells, task }) => ({ tone, text: join(cells, oneLine(task, left)) })),
  ];
}

/** A `+` says that some of it is not known. */
const tokens = (usage: RunView['usage']): string => `${count(usage.total_tokens)}${usage.unknown_requests > 0 ? '+' : ''}`;
