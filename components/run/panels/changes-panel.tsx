'use client';
import { useQuery } from '@tanstack/react-query';
import { FileDiff } from 'lucide-react';
import type { DiffView as WorkspaceDiff } from '@/lib/queries/show-diff';
import { RelativeTime } from '../../text/relative-time';
import { callApi } from '../../api/call-api';
import { DiffView } from '../../diff/diff-view';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { LoadingStatus } from '../../ui/loading-status';
import { Notice } from '../../ui/notice';
import { Skeleton } from '../../ui/skeleton';


interface ChangesPanelProps {
  readonly runId: string;
  /** The last event: what is shown may be older than that while the run is live. */
  readonly seq: number;
  readonly live: boolean;
}

/** What the workspace looks like against the turn's start. */
export function ChangesPanel({ runId, seq, live }: ChangesPanelProps) {
  const query = useQuery({
    queryKey: ['diff', runId, live ? 'live' : seq],
    queryFn: async ({ signal }) => {
      const answer = await callApi<WorkspaceDiff>(`/runs/${runId}/diff`, { signal });
      if (!answer.ok) throw new Error(answer.problem.detail ?? answer.problem.title);
      return answer.value;
    },
    staleTime: 2_000,
  });
  if (query.isPending) {
    return (
      <div className="grid gap-2">
        <LoadingStatus what="the changes" />
        <Skeleton className="h-8" />
        <Skeleton className="h-32" />
      </div>
    );
  }
  if (query.isError) {
    return (
      <Notice role="alert" tone="bad" title="The changes could not be read">
        <p>{query.error.message}</p>
        <Button size="small" className="mt-2" busy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Notice>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-soft">
          Against the state of the workspace when this turn began
          {query.data.state === 'none' ? '' : <>, as of <RelativeTime at={query.data.created_at} /></>}. It says what differs, not that it is right.
        </p>
        {live ? (
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            Read again
          </Button>
        ) : null}
      </div>
      <Changes found={query.data} live={live} />
    </div>
  );
}

function Changes({ found, live }: { readonly found: WorkspaceDiff; readonly live: boolean }) {
  switch (found.state) {
    case 'none':
      return (
        <EmptyState icon={FileDiff} title={live ? 'Nothing to compare yet' : 'Nothing was to be compared'}>
          {live ? 'Changes are kept at the boundaries of the run, after calls with an effect.' : 'No call with an effect came to its end.'}
        </EmptyState>
      );
    case 'unavailable':
      return (
        <Notice tone="doubt" title="What changed cannot be told">
          The state at the turn’s start could not be kept, or the workspace could not be read.
        </Notice>
      );
    case 'stored':
      return found.diff === '' ? (
        <EmptyState icon={FileDiff} title="Nothing differs">
          The workspace is as it was when the turn began.
        </EmptyState>
      ) : (
        <>
          {found.truncated ? (
            <Notice tone="warn" title="There is more than is shown">
              The changes are longer than what is kept of them.
            </Notice>
          ) : null}
          <DiffView diff={found.diff} />
        </>
      );
  }
}
