import { NO_LIMITS, type Limits } from '@/lib/domain/run/settings';

/** The `--max-*` options, as parsed. */
export interface LimitFlags {
  /** In micro-USD. */
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly maxTurns?: number;
  readonly maxToolCalls?: number;
  readonly maxWallSeconds?: number;
}

/** The limits of a run: those given, and for the rest those it had before; none by default. */
export function limitsFrom(flags: LimitFlags, before: Limits = NO_LIMITS): Limits {
  return {
    rounds: flags.maxTurns ?? before.rounds,
    tool_calls: flags.maxToolCalls ?? before.tool_calls,
    wall_seconds: flags.maxWallSeconds ?? before.wall_seconds,
    tokens: flags.maxTokens ?? before.tokens,
    cost_micro_usd: flags.maxCostUsd ?? before.cost_micro_usd,
  };
}

export const givesLimits = (flags: LimitFlags): boolean =>
  [flags.maxCostUsd, flags.maxTokens, flags.maxTurns, flags.maxToolCalls, flags.maxWallSeconds].some((flag) => flag !== undefined);
