import NextAuth from 'next-auth';
import { authSettings } from '@/lib/auth/auth-settings';
import { nextAuthConfig } from '@/lib/auth/next-auth-config';
import { webSystem } from './web-system';

/**
 * next-auth over this process's system, which is opened by the first request: importing
 * this must not need a database.
 */
export const { handlers, signIn, signOut } = NextAuth(async () => {
  const system = await webSystem();
  const { store, commands, projectId, configuration } = system;
  return nextAuthConfig({
    context: { store, newId: commands.newId, projectId },
    settings: authSettings(configuration),
    oidc: configuration.auth.oidc,
  });
});
