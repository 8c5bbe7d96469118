import type { ReactNode } from 'react';
import { Wordmark } from '../shell/wordmark';

/** A page with one thing to do. */
export function AuthCard({ title, lead, children }: { readonly title: string; readonly lead?: ReactNode; readonly children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col px-4 py-10 sm:justify-center sm:py-16">
      <Wordmark />
      <h1 className="mt-8 text-xl font-semibold tracking-tight">{title}</h1>
      {lead === undefined ? null : <div className="mt-1 text-ink-soft">{lead}</div>}
      <div className="mt-6 grid gap-4">{children}</div>
    </main>
  );
}
