import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Role } from '@/lib/domain/role';
import { ConnectionState } from './connection-state';
import { NavLinks } from './nav-links';
import type { Theme } from './theme';
import { UserMenu } from './user-menu';
import { Wordmark } from './wordmark';

interface ConsoleShellProps {
  readonly project: string;
  readonly name: string;
  readonly role: Role;
  readonly theme: Theme;
  readonly signOut: () => Promise<void>;
  readonly children: ReactNode;
}

/** Navigation at the left, or under the thumb; the page beside it. */
export function ConsoleShell({ project, name, role, theme, signOut, children }: ConsoleShellProps) {
  return (
    <div className="lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-20 flex items-center justify-between gap-3 border-b border-line bg-surface px-4 py-2 lg:hidden">
        <Link href="/" aria-label="Pilothouse, overview" className="rounded-sm">
          <Wordmark />
        </Link>
        <div className="flex items-center gap-3">
          <ConnectionState />
          <UserMenu compact name={name} role={role} theme={theme} signOut={signOut} />
        </div>
      </header>
      <div className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-surface px-3 py-4 lg:flex">
        <Link href="/" aria-label="Pilothouse, overview" className="rounded-sm px-2.5">
          <Wordmark />
        </Link>
        <p className="mt-4 mb-1 truncate px-2.5 scale-label" title={project}>
          {project}
        </p>
        <nav aria-label="Main">
          <NavLinks role={role} place="side" />
        </nav>
        <div className="mt-auto grid gap-3">
          <ConnectionState className="px-2.5" />
          <UserMenu name={name} role={role} theme={theme} signOut={signOut} />
        </div>
      </div>
      <main id="content" tabIndex={-1} className="min-w-0 px-4 pt-5 pb-24 outline-none sm:px-6 lg:px-8 lg:pt-7 lg:pb-12">
        <div className="mx-auto max-w-6xl">{children}</div>
      </main>
      <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden">
        <NavLinks role={role} place="bottom" />
      </nav>
    </div>
  );
}
