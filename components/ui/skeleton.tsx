import { classNames } from './class-names';

/** Holds the place of what is loading. The page says once that it loads; the shapes say nothing. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={classNames('block h-4 rounded-sm bg-line/70 breathing', className)} />;
}
