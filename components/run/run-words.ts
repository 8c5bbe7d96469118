/** What the words of the domain mean to a person, each once. */
import type { BlockerKind } from '@/lib/domain/blocker';
import type { Objection } from '@/lib/domain/delivery';
import type { ProviderFailureClass } from '@/lib/domain/failure';
import type { Completion } from '@/lib/domain/run/completion';
import type { Policy, RunSettings } from '@/lib/domain/run/settings';
import type { FailureClass, PauseReason, RunStatus, TerminalStatus, WaitingReason } from '@/lib/domain/run/status';
import { plural } from '../text/amounts';

export const WAITING_WORDS: Readonly<Record<WaitingReason, string>> = {
  approval: 'for an approval',
  tasks: 'for its sub-agents',
  budget: 'for room in the budget',
};

export const PAUSE_WORDS: Readonly<Record<PauseReason, string>> = {
  empty_response: 'the model answered with nothing, twice',
  truncated: 'the model’s answer was cut off, again and again',
  budget_exhausted: 'the budget is used up',
  limit: 'a limit of the run was reached',
  provider_unavailable: 'the model’s provider is away',
  storage: 'there was no room to record more',
  parent: 'the run it works for paused',
  requested: 'a person asked for it',
};

export const FAILURE_WORDS: Readonly<Record<FailureClass, string>> = {
  provider: 'the model’s provider refused',
  reported: 'the agent reported that it failed',
  unresolved: 'the agent said it was done, and the record says otherwise',
  approval: 'an approval was denied, expired or could not be asked',
  stalled: 'it went on and on without progress',
  runtime: 'something unforeseen happened in Pilothouse',
  persistence: 'the record could not be written',
};

export const PROVIDER_FAILURE_WORDS: Readonly<Record<ProviderFailureClass, string>> = {
  auth: 'the key was refused',
  quota: 'the account’s quota is used up',
  rate: 'too many requests',
  overload: 'the provider is overloaded',
  context_length: 'the conversation is too long for the model',
  content_filter: 'the provider’s content filter stopped it',
  bad_request: 'the provider refused the request',
  connection: 'the connection failed',
  timeout: 'nothing came in time',
  incomplete: 'the answer broke off',
  malformed: 'the answer was not in the expected form',
  provider_error: 'the provider reported an error',
  empty_response: 'the answer was empty',
  aborted: 'it was stopped from here',
  script: 'the script has no entry for this request',
};

export const BLOCKER_WORDS: Readonly<Record<BlockerKind, string>> = {
  user_decision: 'A decision is needed',
  missing_authority: 'It is not allowed to go on',
  external_state: 'Something outside stands in the way',
  environment_contradiction: 'The environment contradicts the task',
  unverifiable_requirement: 'A requirement cannot be checked',
};

export const ACCESS_WORDS: Readonly<Record<RunSettings['access'], string>> = { read_write: 'read and write', read_only: 'read only' };

export const POLICY_WORDS: Readonly<Record<Policy, string>> = {
  auto: 'auto: calls run without asking',
  ask: 'ask: every call with an effect needs an approval',
  'read-only': 'read-only: calls with an effect are denied',
};

/** `user:usr_…` becomes the name, where it is known. */
export function actorWords(actor: string, names: Readonly<Record<string, string>>): string {
  if (actor === 'system') return 'Pilothouse';
  if (actor === 'local') return 'the command line';
  if (actor.startsWith('signal:')) return `a signal (${actor.slice('signal:'.length)})`;
  return names[actor] ?? 'somebody';
}

type TerminalPayload<S extends TerminalStatus> = NonNullable<Completion['terminal'][S]>;
type Reasons = { readonly [S in TerminalStatus]: (terminal: TerminalPayload<S>) => string };

const REASONS: Reasons = {
  succeeded: () => 'The agent delivered its answer, and the record has nothing hard against it.',
  verification_failed: ({ exit_code }) => `The work was delivered, and the verifier did not pass: it exited with ${exit_code}.`,
  blocked: ({ blocker }) => `${BLOCKER_WORDS[blocker.kind]}.`,
  paused: ({ reason, message }) => `${sentence(PAUSE_WORDS[reason])}${message === undefined ? '' : ` ${sentence(message)}`}`,
  failed: ({ class: failureClass, message }) => `${sentence(FAILURE_WORDS[failureClass])} ${sentence(message)}`,
  cancelled: ({ unknown_calls }) => `Cancelled. ${unknown(unknown_calls, 'Nothing was in flight.')}`,
  interrupted: ({ unknown_calls, continues_as }) =>
    `Its worker stopped without an end. ${unknown(unknown_calls, 'Nothing with an effect was in flight.')}${continues_as === undefined ? '' : ' It goes on by itself as the next generation.'}`,
};

const sentence = (text: string): string => {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
};
const unknown = (ids: readonly string[], none: string): string =>
  ids.length === 0 ? none : `What ${plural(ids.length, 'call')} in flight did is not known.`;

/** Why a run stands as it does, in a sentence or two; null where the word says it all. */
export function reasonOf(status: RunStatus, terminal: Completion['terminal'] | undefined, waitingFor: WaitingReason | undefined): string | null {
  if (status === 'waiting' && waitingFor !== undefined) return `It waits ${WAITING_WORDS[waitingFor]}. Nothing is lost meanwhile, and no worker is held.`;
  if (status === 'queued') return 'It waits for a free worker.';
  if (status === 'cancelling') return 'A cancel was accepted. What is in flight is being stopped.';
  for (const [key, payload] of Object.entries(terminal ?? {})) {
    const reason = REASONS[key as TerminalStatus] as (payload: unknown) => string;
    return reason(payload);
  }
  return null;
}

type ObjectionWords = { readonly [C in Objection['code']]: (objection: Extract<Objection, { code: C }>) => string };

const OBJECTIONS: ObjectionWords = {
  no_edit_succeeded: ({ attempted }) =>
    `${plural(attempted, 'edit was', 'edits were')} attempted, none succeeded, and the workspace is as it was.`,
  effect_unknown: ({ call_ids }) => `What ${plural(call_ids.length, 'call')} did is not known.`,
  child_not_succeeded: ({ task_ids }) => `${plural(task_ids.length, 'sub-agent')} did not succeed.`,
  plan_open: ({ items }) => `${plural(items.length, 'plan item is', 'plan items are')} still open: ${items.join('; ')}.`,
  last_effect_failed: ({ name, outcome }) => `The last call with an effect, ${name}, ${outcome === 'denied' ? 'was denied' : 'failed'}.`,
};

export function objectionWords(objection: Objection): string {
  return (OBJECTIONS[objection.code] as (objection: Objection) => string)(objection);
}
