'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RunEvent } from '@/lib/domain/run/event';
import { isTerminal } from '@/lib/domain/run/status';
import type { FeedState } from '@/lib/live/run-feed';
import type { RunPageView } from '@/lib/queries/run-page';
import { callApi } from '../../api/call-api';
import { useFeed } from '../../shell/feed-provider';
import { LivePieces } from './live-pieces';
import { appendEvents, applyEvents, cacheOf, prependEvents, replaceWindow, type RunCache } from './run-cache';

export interface LiveRun {
  readonly cache: RunCache;
  readonly pieces: LivePieces;
  readonly feedState: FeedState;
  readonly paused: boolean;
  /** Events that wait behind the pause. */
  readonly buffered: number;
  readonly setPaused: (paused: boolean) => void;
  readonly loading: boolean;
  readonly loadFailed: boolean;
  readonly loadEarlier: () => Promise<void>;
  readonly loadLater: () => Promise<void>;
  /** Shows the stretch of the log around a place. */
  readonly loadAround: (seq: number) => Promise<void>;
  readonly loadEnd: () => Promise<void>;
}

const PAGE = 200;

/** A run as the server rendered it, and as it goes on from there. */
export function useRun(view: RunPageView): LiveRun {
  const runId = view.run.id;
  const client = useQueryClient();
  const { data: cache } = useQuery<RunCache>({
    queryKey: ['run', runId],
    queryFn: () => cacheOf(view),
    initialData: () => cacheOf(view),
    staleTime: Infinity,
    gcTime: 0,
  });
  const change = useCallback(
    (how: (cache: RunCache) => RunCache) => client.setQueryData<RunCache>(['run', runId], (before) => (before === undefined ? before : how(before))),
    [client, runId],
  );

  const [pieces] = useState(() => new LivePieces());
  const [feedState, setFeedState] = useState<FeedState>(isTerminal(view.state.status) ? 'ended' : 'connecting');
  const [paused, setPausedState] = useState(false);
  const [buffered, setBuffered] = useState(0);
  const held = useRef<RunEvent[]>([]);
  const isPaused = useRef(false);

  const take = useCallback(
    (events: readonly RunEvent[]) => {
      change((before) => applyEvents(before, events));
      for (const event of events) {
        if (event.type === 'model.responded' || event.type === 'model.failed') pieces.forget(event.payload.request_id);
        else if ('call_id' in event.payload && ENDINGS.has(event.type)) pieces.forget(event.payload.call_id);
      }
    },
    [change, pieces],
  );

  const feed = useFeed();
  // The run's log was complete when the server rendered it: nothing is awaited.
  const complete = isTerminal(view.state.status) && (view.state.atRest || view.run.parent_run_id !== undefined);
  useEffect(() => {
    if (feed === null || complete) return;
    const from = client.getQueryData<RunCache>(['run', runId])?.state.seq ?? view.state.seq;
    return feed.subscribeRun(runId, from, {
      onEvents: (events) => {
        if (!isPaused.current) return take(events);
        held.current.push(...events);
        setBuffered(held.current.length);
      },
      onEphemeral: (more) => {
        if (!isPaused.current) pieces.add(more);
      },
      onState: setFeedState,
    });
  }, [feed, complete, runId, client, take, pieces, view.state.seq]);

  const setPaused = useCallback(
    (next: boolean) => {
      isPaused.current = next;
      setPausedState(next);
      if (next || held.current.length === 0) return;
      take(held.current);
      held.current = [];
      setBuffered(0);
    },
    [take],
  );

  const [loading, setLoading] = useState(false);
  const [loadFailed, setLoadFailed] = useState(false);
  /** Events after a place, by the same pages as everybody reads. */
  const read = useCallback(
    async (after: number): Promise<readonly RunEvent[] | null> => {
      setLoading(true);
      const answer = await callApi<{ readonly items: readonly RunEvent[] }>(`/runs/${runId}/events?after=${Math.max(0, after)}&limit=${PAGE}`);
      setLoading(false);
      setLoadFailed(!answer.ok);
      return answer.ok ? answer.value.items : null;
    },
    [runId],
  );

  const current = useCallback((): RunCache => client.getQueryData<RunCache>(['run', runId]) ?? cache, [client, runId, cache]);

  const loadEarlier = useCallback(async () => {
    const first = current().events[0]?.seq ?? 1;
    const after = first - PAGE - 1;
    const older = await read(after);
    if (older !== null) change((before) => prependEvents(before, older, after > 0));
  }, [change, current, read]);

  const loadLater = useCallback(async () => {
    const later = await read(current().events.at(-1)?.seq ?? 0);
    if (later !== null) change((before) => appendEvents(before, later));
  }, [change, current, read]);

  const loadAround = useCallback(
    async (seq: number) => {
      const after = seq - PAGE / 2;
      const events = await read(after);
      if (events !== null) change((before) => replaceWindow(before, events, after > 0));
    },
    [change, read],
  );

  const loadEnd = useCallback(async () => {
    const after = current().state.seq - PAGE;
    const events = await read(after);
    if (events !== null) change((before) => replaceWindow(before, events, after > 0));
  }, [change, current, read]);

  return { cache, pieces, feedState, paused, buffered, setPaused, loading, loadFailed, loadEarlier, loadLater, loadAround, loadEnd };
}

const ENDINGS: ReadonlySet<RunEvent['type']> = new Set(['tool.completed', 'tool.failed', 'tool.denied', 'tool.unknown', 'tool.withdrawn']);
