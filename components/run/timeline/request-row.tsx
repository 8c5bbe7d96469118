'use client';
import { Bot, CircleX, type LucideIcon } from 'lucide-react';
import type { RequestPurpose } from '@/lib/domain/run/event';
import { count, duration } from '../../text/amounts';
import { modelLabel } from '../../text/model-label';
import { PlainText } from '../../text/plain-text';
import { Badge } from '../../ui/badge';
import { Disclosure } from '../../ui/disclosure';
import { TONE_EDGE } from '../../ui/tone';
import { classNames } from '../../ui/class-names';
import { useLiveText } from '../live/use-live-text';
import { PROVIDER_FAILURE_WORDS } from '../run-words';
import type { RequestItem } from './timeline-item';
import { TimelineRow } from './timeline-row';

const PURPOSE: Readonly<Record<RequestPurpose, string | null>> = {
  round: null,
  recovery: 'recovery: asks once more for a visible answer',
  compaction: 'compaction: shortens the conversation',
};

/** One attempt at the model: what it wrote, or why nothing came. */
export function RequestRow({ request, live }: { readonly request: RequestItem; readonly live: boolean }) {
  const { response, failure, usage } = request;
  const open = response === null && failure === null;
  const icon: LucideIcon = failure === null ? Bot : CircleX;
  const ended = response?.at ?? failure?.at;
  const purpose = PURPOSE[request.purpose];
  return (
    <TimelineRow
      seq={request.seq}
      at={request.at}
      icon={icon}
      tone={failure !== null ? 'bad' : open && live ? 'active' : 'neutral'}
      moving={open && live}
      title={
        <h4 className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-medium text-ink">{request.model === '' ? 'The model' : modelLabel(request.model)}</span>
          {purpose === null ? null : <Badge tone="doubt">{purpose}</Badge>}
          {request.attempt > 1 ? <Badge tone="warn">attempt {request.attempt}</Badge> : null}
          {response !== null && response.finishReason === 'length' ? <Badge tone="warn">cut off</Badge> : null}
        </h4>
      }
      aside={
        <>
          {usage === null ? null : <UsageWords usage={usage} />}
          {ended === undefined ? <span>{live ? 'writing …' : 'no end recorded'}</span> : duration(Date.parse(ended) - Date.parse(request.at))}
        </>
      }
    >
      {open ? <LiveAnswer requestId={request.requestId} /> : null}
      {response === null || response.reasoning === '' ? null : (
        <Disclosure summary="Reasoning">
          <PlainText text={response.reasoning} className="border-l-2 border-line pl-3 text-ink-soft" />
        </Disclosure>
      )}
      {response === null || response.text === '' ? null : <PlainText text={response.text} />}
      {failure === null ? null : (
        <div className={classNames('border-l-[3px] pl-2.5', TONE_EDGE.bad)}>
          <p className="text-sm break-words text-ink">
            <span className="font-medium text-bad">{PROVIDER_FAILURE_WORDS[failure.class]}</span>
            {failure.http_status === undefined ? '' : ` · HTTP ${failure.http_status}`}
            {failure.retryable ? ' · may be tried again' : ' · not tried again'}
          </p>
          <p className="text-xs break-words whitespace-pre-wrap text-ink-soft">{failure.message}</p>
          {failure.text === undefined || failure.text === '' ? null : (
            <Disclosure summary="What had been seen until then; it is no answer">
              <PlainText text={failure.text} className="text-ink-soft" />
            </Disclosure>
          )}
        </div>
      )}
    </TimelineRow>
  );
}

function UsageWords({ usage }: { readonly usage: NonNullable<RequestItem['usage']> }) {
  if (usage.input_tokens === null || usage.output_tokens === null) return <span className="text-doubt">usage unknown</span>;
  return (
    <span title={`${count(usage.cached_tokens ?? 0)} of the input cached`}>
      {count(usage.input_tokens)} in · {count(usage.output_tokens)} out
      {usage.state === 'estimated' ? ' (at least)' : ''}
    </span>
  );
}

/** What is being written at this moment: not announced, since it changes many times a second. */
function LiveAnswer({ requestId }: { readonly requestId: string }) {
  const text = useLiveText(requestId, 'text');
  const reasoning = useLiveText(requestId, 'reasoning');
  if (text.text === '' && reasoning.text === '') return null;
  return (
    <div aria-live="off" className="grid gap-1.5" data-streaming="true">
      {reasoning.text === '' ? null : (
        <Disclosure summary="Reasoning, as it comes">
          <PlainText text={reasoning.text} className="border-l-2 border-line pl-3 text-ink-soft" />
        </Disclosure>
      )}
      {text.incomplete ? <p className="text-xs text-ink-faint">… the beginning comes with the complete answer</p> : null}
      {text.text === '' ? null : <PlainText text={text.text} />}
    </div>
  );
}
