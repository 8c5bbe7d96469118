/**
 * What a running run does next, from its state alone: so a run that another worker
 * takes over, or that was stopped at any boundary, goes on exactly there.
 */
import { LONGEST_RETRY_AFTER_MS } from '../retry';
import type { EventPayload } from './event';
import type { RunState } from './state';
import type { PauseReason } from './status';

export type NextStep =
  | { readonly kind: 'run_calls' }
  | { readonly kind: 'weigh_answer'; readonly answer: string }
  | { readonly kind: 'verify'; readonly command: string }
  | { readonly kind: 'finish' }
  | { readonly kind: 'ask_to_continue' }
  | { readonly kind: 'exhaust_budget'; readonly exhausted: EventPayload<'budget.exhausted'> }
  | { readonly kind: 'pause'; readonly reason: PauseReason; readonly message: string }
  | { readonly kind: 'fail_provider' }
  | { readonly kind: 'request_model'; readonly purpose: 'round' | 'recovery'; readonly retryOf: EventPayload<'model.failed'> | null };

export interface Bounds {
  /** Attempts after the first, for failures that may pass (PILOTHOUSE_MODEL_RETRIES). */
  readonly modelRetries: number;
  /** Seconds this generation has worked; waiting does not count. */
  readonly workedSeconds: number;
}

const TRUNCATIONS_ALLOWED = 2; // domain.md §10: one report asks to continue; after two, paused(truncated)

export function nextStep(state: RunState, bounds: Bounds): NextStep {
  // A reported blocker or a failed step ends the task; calls proposed after it are withdrawn.
  if (state.blocker !== null) return { kind: 'finish' };
  if (state.step.status === 'failed') return afterDelivery(state);
  if (state.calls.length > 0) return workLimitReached(state, bounds.workedSeconds) ?? { kind: 'run_calls' };
  if (state.delivery !== null) return afterDelivery(state);
  if (state.answer !== null) return { kind: 'weigh_answer', answer: state.answer };
  if (state.truncationUnanswered) {
    return state.truncations >= TRUNCATIONS_ALLOWED
      ? { kind: 'pause', reason: 'truncated', message: `The provider cut ${state.truncations} answers in a row at its length limit.` }
      : { kind: 'ask_to_continue' };
  }
  // What the provider will refuse again is the truth about this end, whatever limit is reached beside it.
  if (refusedForGood(state)) return { kind: 'fail_provider' };
  return limitReached(state, bounds.workedSeconds) ?? budgetSpent(state) ?? failureStep(state, bounds.modelRetries) ?? {
    kind: 'request_model',
    purpose: 'round',
    retryOf: null,
  };
}

function afterDelivery(state: RunState): NextStep {
  const { verifier } = state.settings;
  return verifier !== null && state.verification.status !== 'done' ? { kind: 'verify', command: verifier } : { kind: 'finish' };
}

const refusedForGood = ({ lastFailure }: RunState): boolean =>
  lastFailure !== null && lastFailure.class !== 'empty_response' && !lastFailure.retryable;

function failureStep(state: RunState, modelRetries: number): NextStep | null {
  const failure = state.lastFailure;
  if (failure === null) return null;
  if (failure.class === 'empty_response') {
    return state.recovery === 'due'
      ? { kind: 'request_model', purpose: 'recovery', retryOf: null }
      : { kind: 'pause', reason: 'empty_response', message: 'The provider answered twice without any visible content.' };
  }
  if (state.failedAttempts > modelRetries) {
    return {
      kind: 'pause',
      reason: 'provider_unavailable',
      message: `The provider failed ${state.failedAttempts} times in a row; the last time: ${failure.message}`,
    };
  }
  if ((failure.retry_after_ms ?? 0) > LONGEST_RETRY_AFTER_MS) {
    const minutes = Math.ceil((failure.retry_after_ms ?? 0) / 60_000);
    return {
      kind: 'pause',
      reason: 'provider_unavailable',
      message: `The provider asks to be left alone for ${minutes} minutes: ${failure.message}`,
    };
  }
  return { kind: 'request_model', purpose: state.recovery === 'none' ? 'round' : 'recovery', retryOf: failure };
}

const atLimit = (what: string): NextStep => ({ kind: 'pause', reason: 'limit', message: `The limit of ${what} is reached.` });

/** A round is a settled request and the calls it proposed: those still run when the last round is reached. */
function limitReached(state: RunState, workedSeconds: number): NextStep | null {
  const { rounds, tool_calls } = state.settings.limits;
  if (rounds !== null && state.rounds >= rounds) return atLimit(`${rounds} rounds`);
  // The last call that is allowed may still be answered; calls denied beyond the limit end it.
  if (tool_calls !== null && callsEnded(state) > tool_calls) return atLimit(`${tool_calls} tool calls`);
  return wallTimeOver(state, workedSeconds);
}

/** With calls still to run. */
function workLimitReached(state: RunState, workedSeconds: number): NextStep | null {
  return callsLeft(state) === 0 ? atLimit(`${state.settings.limits.tool_calls} tool calls`) : wallTimeOver(state, workedSeconds);
}

function wallTimeOver(state: RunState, workedSeconds: number): NextStep | null {
  const { wall_seconds } = state.settings.limits;
  return wall_seconds !== null && workedSeconds >= wall_seconds ? atLimit(`${wall_seconds} seconds of work`) : null;
}

function callsEnded({ tally }: RunState): number {
  return tally.completed + tally.failed + tally.denied + tally.unknown;
}

/** Calls that may still be run in this generation. */
export function callsLeft(state: RunState): number {
  const { tool_calls } = state.settings.limits;
  return tool_calls === null ? Number.POSITIVE_INFINITY : Math.max(0, tool_calls - callsEnded(state));
}

/** Limits of a turn: what earlier generations used counts. */
function budgetSpent(state: RunState): NextStep | null {
  if (state.budgetExhausted !== null) {
    const { limit, allowed, used } = state.budgetExhausted;
    return { kind: 'pause', reason: 'budget_exhausted', message: `${used} of ${allowed} ${limit} are used.` };
  }
  const spent = {
    tokens: state.carried.tokens + state.usage.totalTokens,
    cost_micro_usd: state.carried.cost_micro_usd + state.usage.costMicroUsd,
  };
  for (const limit of ['tokens', 'cost_micro_usd'] as const) {
    const allowed = state.settings.limits[limit];
    if (allowed !== null && spent[limit] >= allowed) {
      return { kind: 'exhaust_budget', exhausted: { limit, allowed, used: spent[limit], over_by: spent[limit] - allowed } };
    }
  }
  return null;
}
