/**
 * Takes the configured key out of what a failure carries. Endpoints, gateways and
 * HTTP clients quote it in their complaints; the redactor behind this file knows
 * many secrets, but this one is known here for certain.
 */
import type { ModelOutcome } from '@/lib/agent/ports';

export function withoutKey(outcome: ModelOutcome, apiKey: string): ModelOutcome {
  // A key of a few letters ("x", "none") protects nothing and would eat common words.
  if (outcome.kind !== 'failed' || apiKey.length < 8) return outcome;
  const clean = (text: string): string => text.replaceAll(apiKey, '[api key]');
  return {
    ...outcome,
    failure: { ...outcome.failure, code: clean(outcome.failure.code), message: clean(outcome.failure.message) },
    frames: outcome.frames.map(clean),
  };
}
