import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Nothing is here, why, and what to do about it. */
export function EmptyState({ icon: Icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center">
      <Icon aria-hidden className="size-7 text-ink-faint" strokeWidth={1.5} />
      <p className="mt-3 text-base font-medium text-ink">{title}</p>
      {children === undefined ? null : <div className="mt-1 max-w-md text-ink-soft">{children}</div>}
      {actions === undefined ? null : <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
