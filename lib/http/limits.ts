/** Limits of a turn as requests give them: `budget` (money and tokens) and `limits` (all of them). */
import { z } from 'zod';
import { NO_LIMITS, type Limits } from '@/lib/domain/run/settings';
import type { System } from '@/lib/system';
import { fieldProblem } from './field-problem';
import { given } from './parse';

const whole = z.number().int().positive().max(Number.MAX_SAFE_INTEGER).nullable().optional();

/** Absent and null mean: no such limit. */
export const limitsBodies = {
  budget: z.strictObject({ usd: z.number().positive().max(1e9).nullable().optional(), tokens: whole }).optional(),
  limits: z
    .strictObject({ rounds: whole, tool_calls: whole, wall_seconds: z.number().positive().max(1e9).nullable().optional(), tokens: whole, cost_micro_usd: whole })
    .optional(),
};
export type AskedLimits = z.infer<z.ZodObject<typeof limitsBodies>>;

/**
 * Both name bounds of the same turn; what is said twice must agree.
 * @throws Problem `invalid`, `price_unknown`
 */
export function limitsOf(system: Pick<System, 'price'>, model: string, { budget, limits }: AskedLimits): Limits {
  const asked: Limits = { ...NO_LIMITS, ...given(limits ?? {}) };
  const cost = budget?.usd == null ? null : Math.max(1, Math.round(budget.usd * 1_000_000));
  const tokens = budget?.tokens ?? null;
  if (contradict(cost, asked.cost_micro_usd)) throw fieldProblem('invalid', '/budget/usd', 'contradicts /limits/cost_micro_usd');
  if (contradict(tokens, asked.tokens)) throw fieldProblem('invalid', '/budget/tokens', 'contradicts /limits/tokens');
  const bounds = { ...asked, cost_micro_usd: cost ?? asked.cost_micro_usd, tokens: tokens ?? asked.tokens };
  if (bounds.cost_micro_usd !== null && system.price(model) === null) {
    throw fieldProblem('price_unknown', '/budget/usd', `cannot be kept: the price of ${model} is not known`);
  }
  return bounds;
}

/** Where a request gives none, those there are stay as they are. */
export function limitsFor(system: Pick<System, 'price'>, model: string, asked: AskedLimits): { readonly limits?: Limits } {
  return asked.budget === undefined && asked.limits === undefined ? {} : { limits: limitsOf(system, model, asked) };
}

const contradict = (a: number | null, b: number | null): boolean => a !== null && b !== null && a !== b;
