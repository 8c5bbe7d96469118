'use client';
import type { RunEvent } from '@/lib/domain/run/event';
import { clockTime } from '../../text/exact-time';
import { OutputText } from '../../text/output-text';
import { TextLink } from '../../ui/text-link';
import { RowList } from '../timeline/row-list';

/** The events themselves, as the API gives them. */
export function RawPanel({ runId, events }: { readonly runId: string; readonly events: readonly RunEvent[] }) {
  const rows = events.map((event) => ({ key: String(event.seq), event }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-ink-soft">
        The events that are loaded, as everybody gets them from{' '}
        <TextLink href={`/api/v1/runs/${runId}/events?after=0`} prefetch={false} className="font-mono text-xs">
          /api/v1/runs/{'{id}'}/events
        </TextLink>
        .
      </p>
      <div className="rounded-lg border border-line bg-surface">
        <RowList rows={rows} renderRow={({ event }) => <RawEvent event={event} />} />
      </div>
    </div>
  );
}

function RawEvent({ event }: { readonly event: RunEvent }) {
  return (
    <details className="border-b border-line px-3 py-1.5">
      <summary className="grid grid-cols-[3rem_minmax(0,1fr)_auto] gap-2 rounded-sm font-mono text-xs">
        <span className="text-right text-ink-faint">{event.seq}</span>
        <span className="truncate text-ink">{event.type}</span>
        <span className="text-ink-faint">{clockTime(event.timestamp)}</span>
      </summary>
      <OutputText className="mt-1.5" label={`Event ${event.seq}`} text={JSON.stringify(event.payload, null, 2)} />
    </details>
  );
}
