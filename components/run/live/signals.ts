/** The three signals and what belongs to them, as of this moment; after the end as it recorded them. */
import type { Completion } from '@/lib/domain/run/completion';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { RunState } from '@/lib/domain/run/state';
import type { RunCache } from './run-cache';

export type Signals = Pick<
  Completion,
  'writes_applied' | 'writes_unknown' | 'effects' | 'done' | 'objections' | 'verification' | 'final_text' | 'usage' | 'tool_calls'
>;

/** @param others sums over the other runs of the turn. */
export function signalsOf({ state, completion }: RunCache, others: OtherTotals): Signals {
  return completion ?? soFar(state, others);
}

function soFar(state: RunState, others: OtherTotals): Signals {
  const writesApplied = others.writes_applied || state.edits.succeeded > 0;
  const writesUnknown = others.writes_unknown + state.edits.unknown - state.carried.edits.unknown;
  const verification = verificationOf(state);
  const input = others.usage.input_tokens + state.usage.inputTokens;
  const output = others.usage.output_tokens + state.usage.outputTokens;
  const cost = others.usage.cost_micro_usd + state.usage.costMicroUsd;
  return {
    writes_applied: writesApplied,
    writes_unknown: writesUnknown,
    effects: {
      commands: others.effects.commands + state.effects.commands,
      external: others.effects.external + state.effects.external,
    },
    done: {
      work: writesApplied ? 'yes' : writesUnknown > 0 ? 'unknown' : 'no',
      verified: verification.state,
      delivered: state.delivery?.verdict === 'accepted' ? 'yes' : 'no',
    },
    objections: [...(state.delivery?.objections ?? [])],
    verification,
    final_text: state.delivery?.text ?? null,
    usage: {
      input_tokens: input,
      output_tokens: output,
      cached_tokens: others.usage.cached_tokens + state.usage.cachedTokens,
      reasoning_tokens: others.usage.reasoning_tokens + state.usage.reasoningTokens,
      total_tokens: input + output,
      cost_micro_usd: cost,
      cost_usd: cost / 1e6,
      unpriced_requests: others.usage.unpriced_requests + state.usage.unpricedRequests,
      unknown_requests: others.usage.unknown_requests + state.usage.unknownRequests,
    },
    tool_calls: {
      completed: others.tool_calls.completed + state.tally.completed,
      failed: others.tool_calls.failed + state.tally.failed,
      denied: others.tool_calls.denied + state.tally.denied,
      unknown: others.tool_calls.unknown + state.tally.unknown,
      withdrawn: others.tool_calls.withdrawn + state.tally.withdrawn,
    },
  };
}

function verificationOf({ settings, verification, terminal, status }: RunState): Completion['verification'] {
  const { verifier } = settings;
  if (verifier === null) return { state: 'not_configured' };
  if (verification.status !== 'done') return { state: 'not_run', reason: terminal?.status ?? status, command: verifier };
  const { success, exit_code, reason } = verification.result;
  if (success === null) return { state: 'not_run', reason: reason ?? 'could not be executed', command: verifier };
  return { state: success ? 'passed' : 'failed', command: verifier, ...(exit_code === null ? {} : { exit_code }) };
}
