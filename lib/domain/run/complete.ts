/** Builds the object of `session.completed` from the record (contract.md §4). */
import type { Completion } from './completion';
import type { OtherTotals } from './input';
import type { RunState } from './state';
import { exitCodeOf, terminalToWire, type Terminal } from './terminal';

export const NO_OTHERS: OtherTotals = {
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    reasoning_tokens: 0,
    total_tokens: 0,
    cost_micro_usd: 0,
    cost_usd: 0,
    unpriced_requests: 0,
    unknown_requests: 0,
  },
  tool_calls: { completed: 0, failed: 0, denied: 0, unknown: 0, withdrawn: 0 },
  effects: { commands: 0, external: 0 },
  writes_unknown: 0,
  writes_applied: false,
};

/** The three signals and what belongs to them: what a turn can say of itself at any moment. */
export type Signals = Pick<
  Completion,
  'writes_applied' | 'writes_unknown' | 'effects' | 'done' | 'objections' | 'verification' | 'final_text' | 'usage' | 'tool_calls'
>;

/** @param others sums over the other runs of the turn: earlier generations and children. */
export function signalsOf(state: RunState, others: OtherTotals): Signals {
  const writesApplied = others.writes_applied || state.edits.succeeded > 0;
  const writesUnknown = others.writes_unknown + state.edits.unknown - state.carried.edits.unknown;
  const verification = verificationOf(state);
  return {
    writes_applied: writesApplied,
    writes_unknown: writesUnknown,
    effects: {
      commands: others.effects.commands + state.effects.commands,
      external: others.effects.external + state.effects.external,
    },
    done: {
      work: workOf(state, writesApplied, writesUnknown),
      verified: verification.state,
      delivered: state.delivery?.verdict === 'accepted' ? 'yes' : 'no',
    },
    objections: [...(state.delivery?.objections ?? [])],
    verification,
    final_text: state.delivery?.text ?? null,
    usage: usageOf(state, others),
    tool_calls: {
      completed: others.tool_calls.completed + state.tally.completed,
      failed: others.tool_calls.failed + state.tally.failed,
      denied: others.tool_calls.denied + state.tally.denied,
      unknown: others.tool_calls.unknown + state.tally.unknown,
      withdrawn: others.tool_calls.withdrawn + state.tally.withdrawn,
    },
  };
}

/** @param state after its terminal event. */
export function completionOf(state: RunState, terminal: Terminal, others: OtherTotals): Completion {
  return {
    status: terminal.status,
    exit_code: exitCodeOf(terminal),
    ...signalsOf(state, others),
    ...(state.settings.resumable ? { session_id: state.sessionId } : {}),
    turn_id: state.turnId,
    generation: state.generation,
    terminal: terminalToWire(terminal),
  };
}

function usageOf(state: RunState, others: OtherTotals): Completion['usage'] {
  const cost = others.usage.cost_micro_usd + state.usage.costMicroUsd;
  const input = others.usage.input_tokens + state.usage.inputTokens;
  const output = others.usage.output_tokens + state.usage.outputTokens;
  return {
    input_tokens: input,
    output_tokens: output,
    cached_tokens: others.usage.cached_tokens + state.usage.cachedTokens,
    reasoning_tokens: others.usage.reasoning_tokens + state.usage.reasoningTokens,
    total_tokens: input + output,
    cost_micro_usd: cost,
    cost_usd: cost / 1e6,
    unpriced_requests: others.usage.unpriced_requests + state.usage.unpricedRequests,
    unknown_requests: others.usage.unknown_requests + state.usage.unknownRequests,
  };
}

function workOf(state: RunState, applied: boolean, unknown: number): Completion['done']['work'] {
  if (applied || state.step.status === 'completed') return 'yes';
  return unknown > 0 ? 'unknown' : 'no';
}

function verificationOf(state: RunState): Completion['verification'] {
  const { verifier } = state.settings;
  if (verifier === null) return { state: 'not_configured' };
  if (state.verification.status !== 'done') return { state: 'not_run', reason: state.terminal?.status ?? state.status, command: verifier };
  const { success, exit_code, reason } = state.verification.result;
  if (success === null) return { state: 'not_run', reason: reason ?? 'could not be executed', command: verifier };
  return { state: success ? 'passed' : 'failed', command: verifier, ...(exit_code === null ? {} : { exit_code }) };
}
