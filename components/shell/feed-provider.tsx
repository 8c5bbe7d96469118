'use client';
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
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

  useEffect(() => {
    const opened = createRunFeed();
    setFeed(opened);
    const unsubscribe = opened.subscribeProject((change) => {
      for (const listener of listeners.current) listener(change);
    }, setState);
    return () => {
      unsubscribe();
      opened.close();
    };
  }, []);

  const [onChange] = useState(() => (listener: (change: ProjectChange) => void) => {
    listeners.current.add(listener);
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
