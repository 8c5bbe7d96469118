'use client';
import { plural } from '../../text/amounts';
import { RevealedText } from '../../text/revealed-text';
import { OutputText } from '../../text/output-text';
import { Disclosure } from '../../ui/disclosure';
import { useLiveText } from '../live/use-live-text';
import type { CallItem } from './timeline-item';

/** What a call printed: while it runs as it comes, afterwards as it was recorded. */
export function CallOutput({ call }: { readonly call: CallItem }) {
  const live = useLiveText(call.callId, 'output');
  const label = `Output of ${call.name}`;
  if (call.output === null) {
    if (call.status !== 'running' || live.text === '') return null;
    return (
      <div aria-live="off" className="basis-full">
        {live.incomplete ? <p className="text-xs text-ink-faint">The beginning was printed before this page was open.</p> : null}
        <OutputText label={label} text={live.text} className="max-h-56" />
      </div>
    );
  }
  if (call.output === '') return <p className="py-0.5 text-xs text-ink-faint">No output</p>;
  const lines = call.output.trimEnd().split('\n');
  const isShort = lines.length === 1 && call.output.length <= 90;
  const exitedBadly = call.exitCode !== null && call.exitCode !== 0;
  const size = `${plural(lines.length, 'line')}${call.truncated ? ', cut' : ''}`;
  return (
    // What went wrong is read; what went well is looked up.
    <Disclosure className="open:basis-full" open={call.status !== 'completed' || exitedBadly} summary={<>Output · {isShort ? <RevealedText text={call.output.trimEnd()} /> : size}</>}>
      <OutputText label={label} text={call.output} />
      {call.truncated ? <p className="mt-1 text-xs text-ink-faint">It was longer: this is what the model saw of it.</p> : null}
    </Disclosure>
  );
}
