/** What the form of a new run holds, and what it sends. Pure. */
import type { Policy, RunSettings } from '@/lib/domain/run/settings';

export interface RunDraft {
  readonly task: string;
  readonly place: 'directory' | 'git';
  readonly directory: string;
  readonly git: string;
  readonly ref: string;
  readonly access: RunSettings['access'];
  readonly model: string;
  readonly verifier: string;
  readonly policy: Policy;
  readonly rounds: string;
  readonly toolCalls: string;
  readonly minutes: string;
  readonly tokens: string;
  readonly usd: string;
  readonly saveHistory: boolean;
}
export type DraftField = keyof RunDraft;
export type DraftErrors = Partial<Record<DraftField, string>>;

export const EMPTY_DRAFT: RunDraft = {
  task: '',
  place: 'directory',
  directory: '',
  git: '',
  ref: '',
  access: 'read_write',
  model: '',
  verifier: '',
  policy: 'auto',
  rounds: '',
  toolCalls: '',
  minutes: '',
  tokens: '',
  usd: '',
  saveHistory: true,
};

export const FIELD_NAMES: Readonly<Record<DraftField, string>> = {
  task: 'Task',
  place: 'Workspace',
  directory: 'Directory',
  git: 'Repository',
  ref: 'Branch, tag or commit',
  access: 'Access',
  model: 'Model',
  verifier: 'Verifier',
  policy: 'Policy',
  rounds: 'Rounds',
  toolCalls: 'Tool calls',
  minutes: 'Minutes',
  tokens: 'Tokens',
  usd: 'USD',
  saveHistory: 'Save history',
};

export type DraftAnswer = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly errors: DraftErrors };

/** The body of `POST /runs`, or what is wrong before anything is sent. The server checks everything again. */
export function bodyOf(draft: RunDraft): DraftAnswer {
  const errors: { -readonly [F in DraftField]?: string } = {};
  const number = (field: 'rounds' | 'toolCalls' | 'minutes' | 'tokens' | 'usd', whole: boolean): number | null => {
    const text = draft[field].trim().replaceAll(/[ ,_']/g, '');
    if (text === '') return null;
    const value = /^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value > 0) || (whole && !Number.isSafeInteger(value))) {
      errors[field] = whole ? 'must be a whole number above 0, or empty' : 'must be a number above 0, or empty';
      return null;
    }
    return value;
  };
  if (draft.task.trim() === '') errors.task = 'says what the agent is to do; it is empty';
  if (draft.place === 'directory' && draft.directory.trim() === '') errors.directory = 'is missing';
  if (draft.place === 'git' && draft.git.trim() === '') errors.git = 'is missing';
  const limits = { rounds: number('rounds', true), tool_calls: number('toolCalls', true), minutes: number('minutes', false) };
  const budget = { usd: number('usd', false), tokens: number('tokens', true) };
  if (Object.keys(errors).length > 0) return { ok: false, errors };

  const workspace =
    draft.place === 'directory'
      ? { directory: draft.directory.trim() }
      : { git: draft.git.trim(), ...(draft.ref.trim() === '' ? {} : { ref: draft.ref.trim() }) };
  return {
    ok: true,
    body: {
      task: draft.task,
      workspace,
      access: draft.access,
      policy: draft.policy,
      save_history: draft.saveHistory,
      ...(draft.model.trim() === '' ? {} : { model: draft.model.trim() }),
      ...(draft.verifier.trim() === '' ? {} : { verifier: draft.verifier.trim() }),
      limits: { rounds: limits.rounds, tool_calls: limits.tool_calls, wall_seconds: limits.minutes === null ? null : limits.minutes * 60 },
      budget,
    },
  };
}

/** Which field the server means by a place in the body. */
export function fieldOf(pointer: string, place: RunDraft['place']): DraftField | null {
  if (pointer.startsWith('/workspace')) return pointer.endsWith('/ref') ? 'ref' : place;
  return POINTERS[pointer] ?? null;
}

const POINTERS: Readonly<Record<string, DraftField>> = {
  '/task': 'task',
  '/access': 'access',
  '/model': 'model',
  '/verifier': 'verifier',
  '/policy': 'policy',
  '/save_history': 'saveHistory',
  '/limits/rounds': 'rounds',
  '/limits/tool_calls': 'toolCalls',
  '/limits/wall_seconds': 'minutes',
  '/budget/tokens': 'tokens',
  '/limits/tokens': 'tokens',
  '/budget/usd': 'usd',
  '/limits/cost_micro_usd': 'usd',
};
