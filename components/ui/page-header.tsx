import type { ReactNode } from 'react';

export function PageHeader({ title, aside, children }: { readonly title: string; readonly aside?: ReactNode; readonly children?: ReactNode }) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight text-ink">{title}</h1>
        {children === undefined ? null : <div className="mt-1 text-ink-soft">{children}</div>}
      </div>
      {aside === undefined ? null : <div className="flex flex-wrap items-center gap-2">{aside}</div>}
    </header>
  );
}
