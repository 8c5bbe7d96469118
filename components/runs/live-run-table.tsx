'use client';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useRef, useState, useTransition } from 'react';
import type { RunSummary } from '@/lib/live/frame';
import { plural } from '../text/amounts';
import { useProjectChanges } from '../shell/feed-provider';
import { Button } from '../ui/button';
import { changedBy, type RunRowView } from './run-row-view';
import { RunTable } from './run-table';

interface LiveRunTableProps {
  readonly runs: readonly RunRowView[];
  readonly names: Readonly<Record<string, string>>;
  /** New runs belong above these: the first page. */
  readonly isFirstPage: boolean;
}

const OPENING_MS = 8_000;
const SETTLE_MS = 300;

/** Rows change where they stand. What is new is counted, and comes when it is asked for: nothing jumps under a pointer. */
export function LiveRunTable({ runs, names, isFirstPage }: LiveRunTableProps) {
  const router = useRouter();
  const [changes, setChanges] = useState<ReadonlyMap<string, RunSummary>>(new Map());
  const [stale, setStale] = useState(false);
  const [busy, start] = useTransition();
  const begun = useRef<number | null>(null);
  const renewing = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    begun.current = performance.now();
    return () => {
      if (renewing.current !== null) clearTimeout(renewing.current);
    };
  }, []);
  useProjectChanges((change) => {
    if (change.kind === 'stale') {
      // Everybody who connects is told so. A page that was just opened is renewed; nobody reads it yet.
      if (performance.now() - (begun.current ?? 0) > OPENING_MS) setStale(true);
      else renewing.current ??= setTimeout(() => router.refresh(), SETTLE_MS);
      return;
    }
    setChanges((before) => new Map([...before, ...change.runs.map((run) => [run.id, run] as const)]));
  });
  const known = useMemo(() => new Set<string>(runs.map((run) => run.id)), [runs]);
  const newest = runs[0]?.created_at ?? '';
  const fresh = [...changes.values()].filter((run) => run.parent_run_id === null && !known.has(run.id) && run.created_at >= newest).length;
  const renew = (): void => {
    setStale(false);
    start(() => router.refresh());
  };
  return (
    <div className="grid gap-3">
      {isFirstPage && (fresh > 0 || stale) ? (
        <div className="flex items-center justify-center gap-3 rounded-lg border border-accent/40 bg-accent-soft px-4 py-1.5" role="status">
          <span className="text-sm text-accent">{fresh > 0 ? plural(fresh, 'new run') : 'There may be changes that are not shown'}</span>
          <Button size="small" busy={busy} onClick={renew}>
            Show
          </Button>
        </div>
      ) : null}
      <RunTable
        names={names}
        runs={runs.map((run) => changedBy(run, changes.get(run.id)))}
      />
    </div>
  );
}
