import { Skeleton } from '../ui/skeleton';

export function RunIslandSkeleton() {
  return (
    <div className="grid gap-5">
      <div className="grid gap-3">
        <Skeleton className="w-32" />
        <Skeleton className="h-7 w-2/3" />
        <Skeleton className="h-7 w-48" />
      </div>
      <Skeleton className="h-32" />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid content-start gap-3">
          <Skeleton className="h-9" />
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className="h-14" />
          ))}
        </div>
        <Skeleton className="h-64" />
      </div>
    </div>
  );
}
