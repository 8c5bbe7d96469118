/** How one tool call reads on one line: name, main argument, outcome, duration. Pure. */
import type { JsonValue } from '@/lib/domain/json';
import { duration } from './amounts';
import { oneLine } from './terminal-text';

const ARGUMENT_WIDTH = 90;
const REASON_WIDTH = 160;

export const CALL_OUTCOMES = ['completed', 'failed', 'denied', 'unknown', 'withdrawn'] as const;
export type CallOutcomeWord = (typeof CALL_OUTCOMES)[number];

const MARKS: Readonly<Record<CallOutcomeWord, string>> = {
  completed: '✓',
  failed: '✗',
  denied: '⊘',
  unknown: '?',
  withdrawn: '–',
};
const WORDS: Readonly<Record<CallOutcomeWord, string>> = {
  completed: 'done',
  failed: 'failed',
  denied: 'denied',
  unknown: 'unknown',
  withdrawn: 'withdrawn',
};

/** The argument that says most about the call; the first text where none of the known names is there. */
const MAIN_ARGUMENTS = ['command', 'path', 'pattern', 'goal', 'summary', 'task_id'];

export function callLabel(name: string, callArguments: JsonValue): string {
  const main = mainArgument(callArguments);
  const label = oneLine(name, 60);
  return main === null ? label : `${label} ${oneLine(main, ARGUMENT_WIDTH)}`;
}

function mainArgument(value: JsonValue): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = value as Readonly<Record<string, JsonValue>>;
  for (const name of MAIN_ARGUMENTS) {
    const argument = given[name];
    if (typeof argument === 'string' && argument.trim() !== '') return argument;
  }
  const items = given['items'];
  if (Array.isArray(items)) return `${items.length} items`;
  return Object.values(given).find((argument): argument is string => typeof argument === 'string') ?? null;
}

export interface CallEnd {
  readonly outcome: CallOutcomeWord;
  /** Why, where it is not simply done. */
  readonly reason?: string;
  readonly exitCode?: number;
  /** Absent for calls without effect: their two ends share one commit. */
  readonly milliseconds?: number;
}

export function callLine(label: string, end: CallEnd): string {
  const details = [
    WORDS[end.outcome],
    ...(end.exitCode === undefined ? [] : [`exit ${end.exitCode}`]),
    ...(end.milliseconds === undefined ? [] : [duration(end.milliseconds)]),
  ];
  const reason = end.reason === undefined ? '' : `: ${oneLine(end.reason, REASON_WIDTH)}`;
  return `${MARKS[end.outcome]} ${label} · ${details.join(' · ')}${reason}`;
}
