'use client';
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import type { RunSummary } from '@/lib/live/frame';
import { createRunFeed, type FeedState, type ProjectChange, type RunFeed } from '@/lib/live/run-feed';

interface FeedPlace {
  /** null on the server and until the page has begun to live. */
  readonly feed: RunFeed | null;
  readonly state: FeedState;
  readonly onChange: (listener: (change: ProjectChange) => void) => () => void;
}

const Place = createContext<FeedPlace>({ feed: null, state: 'connecting', onChange: () => () => undefined });

/** One feed a page, for whatever on it is live; and the state of its connection. */
export function FeedProvider({ children }: { readonly children: ReactNode }) {
  const [feed, setFeed] = useState<RunFeed | null>(null);
  const [state, setState] = useState<FeedState>('connecting');
  const listeners = useRef(new Set<(change: ProjectChange) => void>());
  /** What changed lately, for a page that was rendered before and listens only now. */
  const recent = useRef(new Map<string, RunSummary>());

  useEffect(() => {
    const made = createRunFeed();
    setFeed(made);
    const unsubscribe = made.subscribeProject((change) => {
      if (change.kind === 'runs') remember(recent.current, change.runs);
      for (const listener of listeners.current) listener(change);
    }, setState);
    return () => {
      unsubscribe();
      made.close();
    };
  }, []);

  const [onChange] = useState(() => (listener: (change: ProjectChange) => void) => {
    listeners.current.add(listener);
    if (recent.current.size > 0) listener({ kind: 'runs', runs: [...recent.current.values()] });
    return () => {
      listeners.current.delete(listener);
    };
  });

  return <Place value={{ feed, state, onChange }}>{children}</Place>;
}

export const useFeed = (): RunFeed | null => useContext(Place).feed;
export const useFeedState = (): FeedState => useContext(Place).state;

/** Calls `listener` for every change of any run of the project, while mounted. */
export function useProjectChanges(listener: (change: ProjectChange) => void): void {
  const { onChange } = useContext(Place);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => onChange((change) => latest.current(change)), [onChange]);
}

const RECENT = 200;

function remember(recent: Map<string, RunSummary>, runs: readonly RunSummary[]): void {
  for (const run of runs) {
    recent.delete(run.id);
    recent.set(run.id, run);
  }
  for (const id of [...recent.keys()].slice(0, Math.max(0, recent.size - RECENT))) recent.delete(id);
}
