import { DiffView } from '../../diff/diff-view';
import { duration } from '../../text/amounts';
import { Monospace } from '../../text/monospace';
import { OutputText } from '../../text/output-text';
import { Badge } from '../../ui/badge';
import { classNames } from '../../ui/class-names';
import { Disclosure } from '../../ui/disclosure';
import { TONE_EDGE, TONE_TEXT } from '../../ui/tone';
import { PlanItems } from '../plan-items';
import { CALL_LOOK } from './call-look';
import { CallOutput } from './call-output';
import { mainArgument } from './main-argument';
import type { CallItem } from './timeline-item';
import { TimelineRow } from './timeline-row';

/** One tool call, from its proposal to its one outcome. */
export function CallRow({ call }: { readonly call: CallItem }) {
  const { icon, word, meaning, tone, moving } = CALL_LOOK[call.status];
  const main = mainArgument(call.arguments);
  const exitedBadly = call.exitCode !== null && call.exitCode !== 0;
  return (
    <TimelineRow
      seq={call.seq}
      at={call.at}
      icon={icon}
      tone={exitedBadly ? 'warn' : tone}
      moving={moving}
      title={
        <h4 className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-medium text-ink">
            <Monospace text={call.name} />
          </span>
          {main === null ? null : <Monospace text={firstLine(main)} className="line-clamp-2 min-w-0 text-ink-soft" />}
        </h4>
      }
      aside={
        <>
          {call.exitCode === null ? null : <Badge tone={exitedBadly ? 'warn' : 'neutral'}>exit {call.exitCode}</Badge>}
          <span className={classNames('font-medium', call.status === 'completed' ? 'text-ink-soft' : TONE_TEXT[tone])}>{word}</span>
          {durationOf(call)}
        </>
      }
    >
      {call.error === null ? null : <CallError call={call} />}
      {meaning === null || call.error !== null ? null : <p className={classNames('text-xs', TONE_TEXT[tone])}>{meaning}</p>}
      {call.plan === null ? null : <PlanItems items={call.plan} />}
      {call.diff === null || call.diff === '' ? null : <DiffView diff={call.diff} />}
      <div className="flex flex-wrap gap-x-4">
        <CallOutput call={call} />
        {call.arguments === undefined ? null : (
          <Disclosure
            className="open:basis-full"
            summary={call.decision === null ? 'Arguments' : `Arguments · ${call.decision.decision} by ${call.decision.rule}`}
          >
            <OutputText label={`Arguments of ${call.name}`} text={JSON.stringify(call.arguments, null, 2)} />
          </Disclosure>
        )}
      </div>
    </TimelineRow>
  );
}

function CallError({ call }: { readonly call: CallItem }) {
  const { tone, meaning } = CALL_LOOK[call.status];
  return (
    <div className={classNames('border-l-[3px] pl-2.5 text-sm', TONE_EDGE[tone])}>
      <p className="break-words whitespace-pre-wrap text-ink">
        <Monospace text={call.error?.code ?? ''} className={classNames('font-medium', TONE_TEXT[tone])} />
        {call.error?.message === '' ? '' : ` ${call.error?.message ?? ''}`}
      </p>
      {meaning === null ? null : <p className="text-xs text-ink-soft">{meaning}</p>}
      {call.actor === 'system' ? <p className="text-xs text-ink-soft">Decided by Pilothouse, since nobody could be asked.</p> : null}
    </div>
  );
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 400) ?? '';

function durationOf({ startedAt, endedAt }: CallItem): string | null {
  // Both ends of a call without effect share one commit: that is no duration.
  if (startedAt === null || endedAt === null || startedAt === endedAt) return null;
  return duration(Date.parse(endedAt) - Date.parse(startedAt));
}
