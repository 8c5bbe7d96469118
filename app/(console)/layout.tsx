import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { currentCall } from '@/app/session/page-call';
import { signOut } from '@/app/session/sign-out';
import { ConsoleShell } from '@/components/shell/console-shell';
import { FeedProvider } from '@/components/shell/feed-provider';
import { THEME_COOKIE, themeOf } from '@/components/shell/theme';
import { projectName } from '@/lib/queries/project-name';

export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const call = await currentCall();
  // The page within sends whoever this is to the right place, and back here.
  if (call === null) return children;
  const { system, principal } = call;
  return (
    <FeedProvider>
      <ConsoleShell
        project={await projectName(system.store, principal.projectId)}
        name={principal.name}
        role={principal.role}
        theme={themeOf((await cookies()).get(THEME_COOKIE)?.value)}
        signOut={signOut}
      >
        {children}
      </ConsoleShell>
    </FeedProvider>
  );
}
