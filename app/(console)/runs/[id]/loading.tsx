import { RunIslandSkeleton } from '@/components/run/run-island-skeleton';
import { LoadingStatus } from '@/components/ui/loading-status';

export default function Loading() {
  return (
    <>
      <LoadingStatus what="the run" />
      <RunIslandSkeleton />
    </>
  );
}
