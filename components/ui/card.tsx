import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface CardProps {
  readonly title?: ReactNode;
  /** Of the heading, so that the outline of the page has no gaps. */
  readonly level?: 2 | 3;
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
  /** The content brings its own padding: a table, a list of rows. */
  readonly flush?: boolean;
  readonly labelledBy?: string;
}

/** A sheet on the canvas: a line around it, no shadow. */
export function Card({ title, level = 2, aside, className, children, flush = false, labelledBy }: CardProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section aria-labelledby={labelledBy} className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)}>
      {title === undefined ? null : (
        <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
          <Heading id={labelledBy} className="text-sm font-semibold text-ink">
            {title}
          </Heading>
          {aside}
        </header>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}
