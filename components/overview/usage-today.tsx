import type { PeriodUsage } from '@/lib/queries/overview';
import { UsageFigures } from '../run/panels/usage-figures';
import { Card } from '../ui/card';
import { plural } from '../text/amounts';

export function UsageToday({ today }: { readonly today: PeriodUsage }) {
  return (
    <Card title="Used today" labelledBy="today" aside={<span className="text-xs text-ink-faint">since midnight, UTC</span>}>
      <UsageFigures
        usage={{
          input_tokens: today.inputTokens,
          output_tokens: today.outputTokens,
          cached_tokens: today.cachedTokens,
          reasoning_tokens: today.reasoningTokens,
          total_tokens: today.totalTokens,
          cost_micro_usd: today.costMicroUsd,
          cost_usd: today.costMicroUsd / 1e6,
          unpriced_requests: today.unpricedRequests,
          unknown_requests: today.unknownRequests,
        }}
      />
      <p className="mt-2 text-xs text-ink-faint">{plural(today.requests, 'request')} by everybody in this project.</p>
    </Card>
  );
}
