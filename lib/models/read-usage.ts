/**
 * A provider's usage object as token counts.
 *
 * The convention kept everywhere behind this file: cached is a part of input,
 * reasoning a part of output (domain.md §11). Most endpoints report so. Some leave
 * cached tokens out of `prompt_tokens`, or reasoning out of `completion_tokens`;
 * such an endpoint declares it by its own `total_tokens`, which then is the sum
 * of the three. Only that declaration is trusted, nothing is guessed from sizes.
 *
 * Cached tokens beyond the input that nothing declares are refused, since they
 * would make a negative cost. Reasoning tokens beyond the output are kept as
 * reported: no amount is computed from them, and some endpoints do report so.
 */
import { asCount } from '@/lib/domain/count';
import type { TokenCounts } from '@/lib/domain/usage';
import { fieldsOf, isPresent } from './json-fields';

export type ReportedUsage =
  | { readonly valid: true; readonly counts: TokenCounts }
  /** `reason` begins with `usage_invalid` and names the field. */
  | { readonly valid: false; readonly reason: string };

/** @returns null when `value` is no report at all: absent, null or an object without any field. */
export function readUsage(value: unknown): ReportedUsage | null {
  if (!isPresent(value)) return null;
  const usage = fieldsOf(value);
  if (usage === null) return invalid('usage is not an object');
  if (Object.keys(usage).length === 0) return null;

  const prompt = asCount(usage['prompt_tokens']);
  if (prompt === undefined) return invalid('prompt_tokens');
  const completion = asCount(usage['completion_tokens']);
  if (completion === undefined) return invalid('completion_tokens');
  const cached = optionalCount(
    fieldsOf(usage['prompt_tokens_details'])?.['cached_tokens'],
    usage['prompt_cache_hit_tokens'],
    usage['cached_tokens'],
  );
  if (cached === undefined) return invalid('cached tokens');
  const reasoning = optionalCount(
    fieldsOf(usage['completion_tokens_details'])?.['reasoning_tokens'],
    usage['reasoning_tokens'],
  );
  if (reasoning === undefined) return invalid('reasoning tokens');
  const total = optionalCount(usage['total_tokens']);
  if (total === undefined) return invalid('total_tokens');

  const cachedIsApart = cached > 0 && total === prompt + completion + cached;
  const reasoningIsApart = reasoning > 0 && total === prompt + completion + reasoning && !cachedIsApart;
  const inputTokens = cachedIsApart ? prompt + cached : prompt;
  const outputTokens = reasoningIsApart ? completion + reasoning : completion;
  if (cached > inputTokens) return invalid('cached tokens exceed prompt_tokens');
  if (asCount(inputTokens + outputTokens) === undefined) return invalid('the sum is beyond 2^53');
  return { valid: true, counts: { inputTokens, outputTokens, cachedTokens: cached, reasoningTokens: reasoning } };
}

/** The first value that is present, as a count; 0 when none is, `undefined` when it is no count. */
function optionalCount(...values: readonly unknown[]): number | undefined {
  const present = values.find(isPresent);
  return present === undefined ? 0 : asCount(present);
}

function invalid(what: string): ReportedUsage {
  return { valid: false, reason: `usage_invalid: ${what}` };
}
