import type { PeriodUsage } from '@/lib/queries/overview';
import { count, plural, share, usd } from '../text/amounts';

/** What the project used since midnight, as a row of readings. What is not known is said apart. */
export function UsageToday({ today }: { readonly today: PeriodUsage }) {
  const readings = [
    { label: 'Requests', value: count(today.requests), detail: today.unknownRequests > 0 ? `${count(today.unknownRequests)} of unknown usage` : '' },
    { label: 'Input tokens', value: count(today.inputTokens), detail: '' },
    { label: 'Cached', value: share(today.cachedTokens, today.inputTokens) ?? '–', detail: 'of the input' },
    { label: 'Output tokens', value: count(today.outputTokens), detail: '' },
    { label: 'Cost', value: usd(today.costMicroUsd), detail: today.unpricedRequests > 0 ? `without ${plural(today.unpricedRequests, 'request')} of unknown price` : '' },
  ];
  return (
    <section aria-labelledby="today" className="mt-5">
      <div className="flex items-baseline justify-between gap-3 pb-2">
        <h2 id="today" className="text-sm font-semibold whitespace-nowrap">
          Used today
        </h2>
        <p className="text-right text-xs text-ink-faint">
          <span className="max-sm:sr-only">by everybody in this project, </span>since midnight UTC
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 lg:grid-cols-5">
        {readings.map(({ label, value, detail }) => (
          <div key={label} className="bg-surface px-4 py-3 last:max-lg:col-span-full sm:last:max-lg:col-span-2">
            <dt className="scale-label">{label}</dt>
            <dd className="text-lg leading-7 font-medium text-ink">{value}</dd>
            {detail === '' ? null : <dd className="text-xs text-ink-faint">{detail}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}
