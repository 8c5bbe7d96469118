import { RunTableSkeleton } from '@/components/runs/run-table-skeleton';
import { LoadingStatus } from '@/components/ui/loading-status';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <>
      <LoadingStatus what="the runs" />
      <PageHeader title="Runs" />
      <div className="grid gap-4">
        <Skeleton className="h-9 max-w-lg" />
        <RunTableSkeleton />
      </div>
    </>
  );
}
