import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly open?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Folded content, by the browser's own element: it opens without JavaScript and by search in the page. */
export function Disclosure({ summary, open, className, children }: DisclosureProps) {
  return (
    <details open={open} className={classNames('group/fold min-w-0', className)}>
      <summary className="inline-flex max-w-full items-center gap-1 rounded-sm py-0.5 text-xs text-ink-soft hover:text-ink">
        <ChevronRight aria-hidden className="size-3.5 shrink-0 transition-transform group-open/fold:rotate-90" />
        <span className="min-w-0 truncate">{summary}</span>
      </summary>
      <div className="mt-1.5 min-w-0">{children}</div>
    </details>
  );
}
