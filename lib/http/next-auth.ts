import NextAuth from 'next-auth';
import { authSettings } from '@/lib/auth/auth-settings';
import { nextAuthConfig } from '@/lib/auth/next-auth-config';
import { webSystem } from './web-system';

/**
 * next-auth over this process's system, which is opened by the first request: importing
 * this must not need a database.
 */
const { handlers, signIn, signOut } = NextAuth(async () => {
  const system = await webSystem();
  const { store, commands, projectId, configuration } = system;
  return nextAuthConfig({
    context: { store, newId: commands.newId, projectId },
    settings: authSettings(configuration),
    oidc: configuration.auth.oidc,
  });
});

export { signIn, signOut };
type Handle = (request: Request) => Promise<Response>;
export const GET: Handle = (request) => (handlers.GET as Handle)(asAddressed(request));
export const POST: Handle = (request) => (handlers.POST as Handle)(asAddressed(request));

/**
 * The request under the host that the browser named. Next calls every local one
 * `localhost`, which a redirect must not: it would lose a cookie of `127.0.0.1`. Not a
 * NextRequest, since that says `localhost` again; next-auth needs one only where
 * AUTH_URL is set, and then goes by that.
 */
function asAddressed(request: Request): Request {
  const host = request.headers.get('host');
  if (process.env['AUTH_URL'] !== undefined || host === null || !/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host)) return request;
  const url = new URL(request.url);
  url.host = host;
  return new Request(url, request);
}
