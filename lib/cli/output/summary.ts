/**
 * The closing summary: how a turn ended, with the three signals kept apart and what
 * each does not prove (domain.md §1). Pure; the same for the end of `exec` and `show`.
 */
import type { Completion } from '@/lib/domain/run/completion';
import type { RunStatus } from '@/lib/domain/run/status';
import { count, plural, usd } from './amounts';
import { waysToGoOn } from './go-on';
import { objectionText } from './objection-text';
import type { ProgressLine, Tone } from './progress';
import { endReason, STATUS_TEXT } from './status-text';
import { oneLine } from './terminal-text';

export interface SummaryRun
  extends Pick<
    Completion,
    'writes_applied' | 'writes_unknown' | 'effects' | 'done' | 'objections' | 'verification' | 'usage' | 'tool_calls'
  > {
  readonly id: string;
  readonly session_id: string;
  readonly status: RunStatus;
  readonly exit_code?: number;
  readonly terminal?: Completion['terminal'];
}

export interface SummaryContext {
  /** The session's messages are kept. */
  readonly resumable: boolean;
  /** How this person calls Pilothouse. */
  readonly program: string;
}

const LABEL_WIDTH = 14;
const row = (label: string, text: string, tone: Tone = 'plain'): ProgressLine => ({ tone, text: `${label.padEnd(LABEL_WIDTH)}${text}` });

export function summaryLines(run: SummaryRun, context: SummaryContext): readonly ProgressLine[] {
  return [
    statusRow(run),
    writesRow(run),
    verificationRow(run.verification),
    row('done', `work ${run.done.work} · verified ${run.done.verified} · delivered ${run.done.delivered}`),
    row('commands', `${plural(run.effects.commands, 'command')} run${run.effects.external === 0 ? '' : ` · ${plural(run.effects.external, 'other call')} with an effect outside`}`),
    row('tool calls', callsText(run.tool_calls)),
    row('usage', usageText(run.usage)),
    ...run.objections.map((objection, index) => row(index === 0 ? 'objections' : '', objectionText(objection), 'doubt')),
    ...questionRows(run),
    ...goOnRows(run, context),
  ];
}

function statusRow(run: SummaryRun): ProgressLine {
  const { mark, word, tone } = STATUS_TEXT[run.status];
  const exit = run.exit_code === undefined ? '' : ` (exit ${run.exit_code})`;
  const reason = endReason(run.terminal);
  const proves = run.status === 'succeeded' ? '; not a proof that every requirement is met' : '';
  return row('status', `${mark} ${word}${exit}${reason === null ? '' : `: ${reason}`}${proves}`, tone);
}

function writesRow(run: SummaryRun): ProgressLine {
  const unknown = run.writes_unknown === 0 ? '' : ` · the outcome of ${plural(run.writes_unknown, 'edit')} is unknown`;
  if (run.writes_applied) return row('writes', `applied${unknown}; not a proof of a net change on disk, or of a right one`);
  // A verifier is a command too.
  const others = run.effects.commands + run.effects.external > 0 || run.verification.state !== 'not_configured';
  return row('writes', `none recorded${unknown}${others ? '; commands may have changed files all the same' : ''}`);
}

type VerificationTexts = Readonly<Record<Completion['verification']['state'], (verification: Completion['verification']) => ProgressLine>>;

const named = ({ command }: Completion['verification']): string => (command === undefined ? '' : ` \`${oneLine(command, 90)}\``);

const VERIFICATION: VerificationTexts = {
  passed: (given) => row('verification', `passed${named(given)}; not a proof of what it does not check`, 'good'),
  failed: (given) => row('verification', `failed${named(given)}${given.exit_code === undefined ? '' : ` (exit ${given.exit_code})`}`, 'bad'),
  not_run: (given) => row('verification', `not run${named(given)}${given.reason === undefined ? '' : `: ${oneLine(given.reason, 200)}`}`, 'doubt'),
  not_configured: () => row('verification', 'not configured: nothing was checked'),
};

const verificationRow = (verification: Completion['verification']): ProgressLine => VERIFICATION[verification.state](verification);

function callsText(calls: Completion['tool_calls']): string {
  const parts = (['completed', 'failed', 'denied', 'unknown', 'withdrawn'] as const)
    .filter((outcome) => calls[outcome] > 0)
    .map((outcome) => `${count(calls[outcome])} ${outcome}`);
  return parts.length === 0 ? 'none' : parts.join(' · ');
}

export function usageText(usage: Completion['usage']): string {
  const { input_tokens: input, cached_tokens: cached, reasoning_tokens: reasoning } = usage;
  const share = cached === 0 || input === 0 ? '' : ` (${count(cached)} cached, ${Math.round((cached / input) * 100)} %)`;
  const thought = reasoning === 0 ? '' : ` (${count(reasoning)} reasoning)`;
  const unknown = usage.unknown_requests === 0 ? '' : ` · usage of ${plural(usage.unknown_requests, 'request')} unknown, which is not 0`;
  return `${count(input)} in${share} + ${count(usage.output_tokens)} out${thought} = ${count(usage.total_tokens)} tokens · ${costText(usage)}${unknown}`;
}

function costText(usage: Completion['usage']): string {
  if (usage.unpriced_requests === 0) return `cost ${usd(usage.cost_micro_usd)}`;
  return usage.cost_micro_usd === 0 ? 'cost unknown' : `cost ${usd(usage.cost_micro_usd)} and an unknown part`;
}

function questionRows(run: SummaryRun): readonly ProgressLine[] {
  const blocker = run.terminal?.blocked?.blocker;
  if (blocker === undefined) return [];
  return [
    ...(blocker.question === undefined ? [] : [row('question', oneLine(blocker.question, 400), 'doubt')]),
    ...(blocker.choices ?? []).map((choice, index) => row(index === 0 ? 'choices' : '', oneLine(choice, 200))),
  ];
}

function goOnRows(run: SummaryRun, context: SummaryContext): readonly ProgressLine[] {
  const ways = waysToGoOn(
    { runId: run.id, sessionId: run.session_id, resumable: context.resumable, status: run.status, terminal: run.terminal },
    context.program,
  );
  return ways.map((way, index) => row(index === 0 ? 'next' : '', way, 'dim'));
}
