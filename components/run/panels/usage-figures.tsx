import type { Completion } from '@/lib/domain/run/completion';
import { count, plural, share, usd } from '../../text/amounts';
import { classNames } from '../../ui/class-names';

/** The sums of a turn or of a day. What is not known is said apart, and never summed as nothing. */
export function UsageFigures({ usage, className }: { readonly usage: Completion['usage']; readonly className?: string }) {
  const cached = share(usage.cached_tokens, usage.input_tokens);
  const figures = [
    { label: 'Input', value: count(usage.input_tokens), detail: cached === null ? '' : `${cached} cached` },
    { label: 'Output', value: count(usage.output_tokens), detail: usage.reasoning_tokens > 0 ? `${count(usage.reasoning_tokens)} reasoning` : '' },
    { label: 'Cost', value: usd(usage.cost_micro_usd), detail: usage.unpriced_requests > 0 ? `without ${plural(usage.unpriced_requests, 'request')} of unknown price` : '' },
  ];
  return (
    <div className={classNames('grid gap-2', className)}>
      <dl className="grid grid-cols-3 gap-3">
        {figures.map(({ label, value, detail }) => (
          <div key={label} className="min-w-0">
            <dt className="scale-label">{label}</dt>
            <dd className="text-base font-medium text-ink">{value}</dd>
            {detail === '' ? null : <dd className="text-xs text-ink-faint">{detail}</dd>}
          </div>
        ))}
      </dl>
      {usage.unknown_requests > 0 ? (
        <p className="text-xs text-doubt">
          {plural(usage.unknown_requests, 'request')} of unknown usage: not in these sums, and not nothing.
        </p>
      ) : null}
    </div>
  );
}
