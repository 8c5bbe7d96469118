import { Skeleton } from '../ui/skeleton';

export function RunTableSkeleton({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex items-center gap-4 px-4 py-3">
          <Skeleton className="w-28" />
          <Skeleton className="flex-1" />
          <Skeleton className="hidden w-20 md:block" />
          <Skeleton className="w-16" />
        </div>
      ))}
    </div>
  );
}
