/** `pilothouse show`: one run for a person. Pure. */
import type { RunView } from '@/lib/queries/show-run';
import { age } from './amounts';
import type { ProgressLine } from './progress';
import { summaryLines, type SummaryContext } from './summary';
import { harmless, oneLine } from './terminal-text';

export function runPage(run: RunView, context: SummaryContext, now: Date): readonly ProgressLine[] {
  const row = (label: string, text: string): ProgressLine => ({ tone: 'plain', text: `${label.padEnd(14)}${text}` });
  const since = (at: string): string => `${at} (${age(now.getTime() - Date.parse(at))} ago)`;
  return [
    row('run', `${run.id} · generation ${run.generation}`),
    row('session', `${run.session_id} · turn ${run.turn_id}`),
    row('task', oneLine(run.task, 300)),
    row('workspace', oneLine(run.workspace, 300)),
    row('model', oneLine(run.model, 100)),
    ...(run.parent_run_id === undefined ? [] : [row('parent', run.parent_run_id)]),
    row('created', since(run.created_at)),
    ...(run.started_at === undefined ? [] : [row('started', since(run.started_at))]),
    ...(run.ended_at === undefined ? [] : [row('ended', since(run.ended_at))]),
    ...(run.waiting_for === undefined ? [] : [row('waiting for', run.waiting_for)]),
    ...summaryLines(run, context),
    ...(run.final_text === null ? [] : [{ tone: 'dim', text: '────' } as const, { tone: 'plain', text: harmless(run.final_text).trimEnd() } as const]),
  ];
}
