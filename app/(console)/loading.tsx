import { LoadingStatus } from '@/components/ui/loading-status';
import { Skeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <>
      <LoadingStatus what="the page" />
      <Skeleton className="mb-6 h-7 w-40" />
      <div className="grid gap-5 lg:grid-cols-2">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </div>
      <Skeleton className="mt-8 h-64" />
    </>
  );
}
