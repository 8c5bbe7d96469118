'use client';
import { count, plural } from '../../text/amounts';
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
      <div aria-live="off">
        {live.incomplete ? <p className="text-xs text-ink-faint">The beginning was printed before this page was open.</p> : null}
        <OutputText label={label} text={live.text} className="max-h-56" />
      </div>
    );
  }
  if (call.output === '') return <p className="text-xs text-ink-faint">No output.</p>;
  const lines = call.output.split('\n').length;
  // What went wrong is read; what went well is looked up.
  const open = call.status !== 'completed' || (call.exitCode !== null && call.exitCode !== 0) || (lines <= 3 && call.output.length < 300);
  return (
    <Disclosure open={open} summary={`Output · ${plural(lines, 'line')}, ${count(call.output.length)} characters${call.truncated ? ' · cut' : ''}`}>
      <OutputText label={label} text={call.output} />
      {call.truncated ? <p className="mt-1 text-xs text-ink-faint">It was longer: this is what the model saw of it.</p> : null}
    </Disclosure>
  );
}
