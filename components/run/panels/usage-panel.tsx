import type { Completion } from '@/lib/domain/run/completion';
import type { RequestUsage } from '@/lib/queries/run-page';
import { count, usd } from '../../text/amounts';
import { clockTime } from '../../text/exact-time';
import { modelLabel } from '../../text/model-label';
import { Monospace } from '../../text/monospace';
import { UsageFigures } from './usage-figures';

interface UsagePanelProps {
  readonly usage: Completion['usage'];
  readonly requests: readonly RequestUsage[];
}

const STATE: Readonly<Record<NonNullable<RequestUsage['state']>, string>> = {
  known: 'known',
  estimated: 'at least',
  unknown: 'unknown',
};

/** One line an attempt at the model: the ledger of this run, under the sums of its turn. */
export function UsagePanel({ usage, requests }: UsagePanelProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section aria-label="Sums of the turn" className="rounded-lg border border-line bg-surface p-4">
        <UsageFigures usage={usage} className="max-w-xl" />
        <p className="mt-2 text-xs text-ink-faint">Of the whole turn: every generation, every sub-agent. Total tokens are input and output; cached ones are a part of the input.</p>
      </section>
      {requests.length === 0 ? (
        <p className="text-ink-soft">No request to a model yet.</p>
      ) : (
        <div className="relative overflow-x-auto rounded-lg border border-line bg-surface" tabIndex={0} role="group" aria-label="Requests of this run">
          <table className="w-full text-sm">
            <caption className="sr-only">Requests of this run, in order</caption>
            <thead>
              <tr className="border-b border-line text-left text-xs text-ink-faint">
                <Head>Time</Head>
                <Head>Model</Head>
                <Head>Purpose</Head>
                <Head right>Input</Head>
                <Head right>Cached</Head>
                <Head right>Output</Head>
                <Head right>Cost</Head>
                <Head>Usage</Head>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {requests.map((request) => (
                <tr key={request.requestId}>
                  <td className="px-3 py-1.5 whitespace-nowrap text-ink-faint">{clockTime(request.at)}</td>
                  <td className="max-w-48 truncate px-3 py-1.5">
                    <Monospace text={modelLabel(request.model)} />
                  </td>
                  <td className="px-3 py-1.5 whitespace-nowrap text-ink-soft">
                    {request.purpose}
                    {request.attempt > 1 ? `, attempt ${request.attempt}` : ''}
                    {request.failure === null ? '' : ` · failed: ${request.failure}`}
                  </td>
                  <Figure value={request.inputTokens} />
                  <Figure value={request.cachedTokens} />
                  <Figure value={request.outputTokens} />
                  <td className="px-3 py-1.5 text-right whitespace-nowrap">{request.costMicroUsd === null ? <NotKnown /> : usd(request.costMicroUsd)}</td>
                  <td className="px-3 py-1.5 whitespace-nowrap text-ink-soft">{request.state === null ? 'open' : STATE[request.state]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function Head({ children, right = false }: { readonly children: string; readonly right?: boolean }) {
  return (
    <th scope="col" className={right ? 'px-3 py-2 text-right font-medium' : 'px-3 py-2 font-medium'}>
      {children}
    </th>
  );
}

const Figure = ({ value }: { readonly value: number | null }) => (
  <td className="px-3 py-1.5 text-right whitespace-nowrap">{value === null ? <NotKnown /> : count(value)}</td>
);

const NotKnown = () => (
  <span className="text-doubt">
    –<span className="sr-only">not known</span>
  </span>
);
