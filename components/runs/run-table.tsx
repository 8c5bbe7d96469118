import Link from 'next/link';
import { short, usd } from '../text/amounts';
import { ElapsedTime } from '../text/elapsed-time';
import { modelLabel } from '../text/model-label';
import { RevealedText } from '../text/revealed-text';
import { RelativeTime } from '../text/relative-time';
import { actorWords } from '../run/run-words';
import { RunStatusMark } from '../run/run-status';
import { taskTitle } from '../run/task-title';
import { VERIFICATION_LOOK } from '../run/outcome/verification-look';
import { classNames } from '../ui/class-names';
import { LinkPending } from '../ui/link-pending';
import { TONE_TEXT } from '../ui/tone';
import type { RunRowView } from './run-row-view';

interface RunTableProps {
  readonly runs: readonly RunRowView[];
  readonly names: Readonly<Record<string, string>>;
}

/** A table where there is room, cards where there is none: the same rows, said once. */
export function RunTable({ runs, names }: RunTableProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed text-sm max-md:block">
        <caption className="sr-only">Runs, newest first</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b border-line text-left text-xs text-ink-faint">
            <Head className="w-44 pl-4">Status</Head>
            <Head>Task</Head>
            <Head className="w-28 lg:w-36">Model</Head>
            <Head className="w-24">Started</Head>
            <Head className="w-24 text-right">Duration</Head>
            <Head className="w-32 pr-4 text-right">Tokens, cost</Head>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block">
          {runs.map((run) => (
            <Row key={run.id} run={run} names={names} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Head = ({ children, className }: { readonly children: string; readonly className?: string }) => (
  <th scope="col" className={classNames('px-2 py-2 font-medium', className)}>
    {children}
  </th>
);

function Row({ run, names }: { readonly run: RunRowView; readonly names: RunTableProps['names'] }) {
  const title = taskTitle(run.task);
  const tokens = run.usage.input_tokens + run.usage.output_tokens;
  return (
    <tr className="relative align-top hover:bg-sunken/60 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-1 max-md:px-4 max-md:py-3">
      <td className="py-2.5 pl-4 max-md:order-1 max-md:p-0">
        <RunStatusMark status={run.status} />
      </td>
      <th scope="row" className="min-w-0 px-2 py-2.5 text-left font-normal max-md:order-3 max-md:col-span-2 max-md:p-0">
        {/* The whole row is the link's target; its name is the task. */}
        <Link
          href={`/runs/${run.id}`}
          className="line-clamp-2 font-medium break-words text-ink after:absolute after:inset-0 hover:text-accent md:line-clamp-1"
        >
          <bdi>
            <RevealedText text={title} kind="prose" />
          </bdi>
          <LinkPending className="ml-1.5 inline" />
        </Link>
        <span className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-ink-soft">
          <span>{actorWords(run.created_by, names)}</span>
          {run.generation > 1 ? <span>generation {run.generation}</span> : null}
          {run.writes_applied ? <span>writes recorded</span> : null}
          <Verification state={run.verification.state} />
        </span>
      </th>
      <td className="px-2 py-2.5 text-ink-soft max-md:order-4 max-md:p-0 max-md:text-xs">
        <span className="block truncate" title={modelLabel(run.model)}>
          {modelLabel(run.model)}
        </span>
      </td>
      <td className="px-2 py-2.5 whitespace-nowrap text-ink-soft max-md:order-2 max-md:p-0 max-md:text-right max-md:text-xs">
        <RelativeTime at={run.started_at ?? run.created_at} />
      </td>
      <td className="px-2 py-2.5 text-right whitespace-nowrap text-ink-soft max-md:hidden">
        {run.started_at === undefined ? '–' : <ElapsedTime since={run.started_at} until={run.ended_at} />}
      </td>
      <td className="py-2.5 pr-4 pl-2 text-right whitespace-nowrap text-ink-soft max-md:order-5 max-md:p-0 max-md:text-xs">
        <span title={`${run.usage.input_tokens} in, ${run.usage.output_tokens} out`}>{short(tokens)}</span>
        <span className="block text-xs text-ink-faint max-md:ml-2 max-md:inline">
          {run.usage.unpriced_requests > 0 && run.usage.cost_micro_usd === 0 ? 'price unknown' : usd(run.usage.cost_micro_usd)}
        </span>
        {run.usage.unknown_requests > 0 ? (
          <span className="block text-xs text-doubt max-md:ml-2 max-md:inline" title="Requests whose usage is not known: not in these figures, and not nothing">
            + {run.usage.unknown_requests} unknown
          </span>
        ) : null}
      </td>
    </tr>
  );
}

function Verification({ state }: { readonly state: RunRowView['verification']['state'] }) {
  if (state === 'not_configured' || state === 'not_run') return null;
  const { icon: Icon, tone } = VERIFICATION_LOOK[state];
  return (
    <span className={classNames('inline-flex items-center gap-1', TONE_TEXT[tone])}>
      <Icon aria-hidden className="size-3.5" />
      {state === 'passed' ? 'verified' : 'not verified'}
    </span>
  );
}
