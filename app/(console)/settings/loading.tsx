import { LoadingStatus } from '@/components/ui/loading-status';
import { Skeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <div className="grid gap-4">
      <LoadingStatus what="the settings" />
      <Skeleton className="h-28" />
      <Skeleton className="h-64" />
    </div>
  );
}
