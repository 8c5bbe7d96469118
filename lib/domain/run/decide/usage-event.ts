import type { UsageReport } from '../../usage';
import type { RunEventBody } from '../event';
import { event } from './decision';

/** One usage entry per model request, whatever its end (domain.md §11). */
export function usageEvent(requestId: string, model: string, usage: UsageReport, costMicroUsd: number | null): RunEventBody {
  const known = usage.state !== 'unknown';
  return event('usage.recorded', {
    request_id: requestId,
    model,
    input_tokens: known ? usage.inputTokens : null,
    output_tokens: known ? usage.outputTokens : null,
    cached_tokens: known ? usage.cachedTokens : null,
    reasoning_tokens: known ? usage.reasoningTokens : null,
    cost_micro_usd: known ? costMicroUsd : null,
    state: usage.state,
    ...(known ? {} : { reason: usage.reason }),
  });
}
