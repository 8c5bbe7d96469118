'use client';
import { useCallback, useMemo, useRef, useState } from 'react';
import { isTerminal } from '@/lib/domain/run/status';
import { plural } from '../../text/amounts';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import type { LiveRun } from '../live/use-run';
import { buildTimeline, type EarlierCalls } from './build-timeline';
import { RoundRow } from './round-row';
import { RowList, type RowListHandle } from './row-list';
import { TimelineItemView } from './timeline-item-view';
import { timelineRows } from './timeline-rows';
import { TimelineToolbar } from './timeline-toolbar';
import { useFollow } from './use-follow';
import { useJump } from './use-jump';
import { useTimelineKeys } from './use-timeline-keys';

interface TimelineProps {
  readonly run: LiveRun;
  readonly earlierCalls: EarlierCalls;
}

/** What happened, round by round. */
export function Timeline({ run, earlierCalls }: TimelineProps) {
  const { cache } = run;
  const [failedOnly, setFailedOnly] = useState(false);
  const [descending, setDescending] = useState(false);
  const list = useRef<RowListHandle>(null);

  const groups = useMemo(() => buildTimeline(cache.events, earlierCalls), [cache.events, earlierCalls]);
  const responded = groups.filter((group) => group.request !== null && group.request.response !== null).length;
  const firstRound = !cache.hasEarlier ? 1 : cache.hasLater ? null : Math.max(1, cache.state.rounds - responded + 1);
  const rows = useMemo(() => timelineRows(groups, { firstRound, failedOnly, descending }), [groups, firstRound, failedOnly, descending]);

  const live = !isTerminal(cache.state.status);
  const jump = useJump({ run, rows, list });
  const follow = useFollow({ active: live && !descending && !failedOnly && !run.paused && !cache.hasLater, length: rows.length });

  const toggleFailed = useCallback(() => setFailedOnly((now) => !now), []);
  const toggleOrder = useCallback(() => setDescending((now) => !now), []);
  const toEnd = useCallback(() => {
    if (cache.hasLater) void run.loadEnd();
    follow.toEnd();
  }, [cache.hasLater, run, follow]);
  useTimelineKeys({
    n: () => jump.failure(1),
    p: () => jump.failure(-1),
    f: toggleFailed,
    o: toggleOrder,
    l: () => live && run.setPaused(!run.paused),
    e: toEnd,
  });

  // A window's start and end, in the order in which they are shown.
  const earlier = cache.hasEarlier ? (
    <LoadButton label="Load earlier events" busy={run.loading} onClick={() => void run.loadEarlier()} />
  ) : null;
  const later = cache.hasLater ? <LoadButton label="Load later events" busy={run.loading} onClick={() => void run.loadLater()} /> : null;

  return (
    <div className="min-w-0">
      <TimelineToolbar
        live={live}
        paused={run.paused}
        buffered={run.buffered}
        onPause={() => run.setPaused(!run.paused)}
        failedOnly={failedOnly}
        onFailedOnly={toggleFailed}
        descending={descending}
        onOrder={toggleOrder}
        failures={cache.failures.length}
        onFailure={jump.failure}
      />
      {run.loadFailed ? <Notice role="alert" tone="bad" title="These events could not be loaded" className="mt-3">Nothing is lost; try again.</Notice> : null}
      {descending ? later : earlier}
      {/* Only what comes at the end, as it comes: a list that grows at its beginning would be read from there. */}
      <div role="log" aria-label="Timeline" aria-live={live && !descending ? 'polite' : 'off'} aria-relevant="additions">
        {rows.length === 0 ? (
          <p className="py-8 text-center text-ink-soft">{failedOnly ? 'Nothing failed among these events.' : 'Nothing has happened yet.'}</p>
        ) : (
          <RowList
            handle={list}
            rows={rows}
            renderRow={(row) => (row.kind === 'round' ? <RoundRow number={row.number} /> : <TimelineItemView item={row.item} live={live} />)}
          />
        )}
      </div>
      {descending ? earlier : later}
      {follow.behind > 0 ? (
        <div className="pointer-events-none sticky bottom-4 z-10 flex justify-center">
          <Button look="primary" size="small" className="pointer-events-auto shadow-overlay" onClick={toEnd}>
            {plural(follow.behind, 'new entry', 'new entries')} below
          </Button>
        </div>
      ) : null}
      <p role="status" className="sr-only">
        {jump.said}
      </p>
    </div>
  );
}

function LoadButton({ label, busy, onClick }: { readonly label: string; readonly busy: boolean; readonly onClick: () => void }) {
  return (
    <div className="flex justify-center py-3">
      <Button size="small" busy={busy} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}
