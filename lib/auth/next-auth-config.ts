/**
 * Sessions by next-auth: a sealed cookie (JWT) that carries who somebody is and the
 * epoch under which they signed in, and nothing of what they may do, which is read
 * from the database (`authenticate`).
 *
 * | provider   | what is shown                                   |
 * |------------|-------------------------------------------------|
 * | `password` | e-mail address and password                     |
 * | `link`     | a one-time sign-in link                         |
 * | `oidc`     | another party's word, where one is configured   |
 */
import { CredentialsSignin, type NextAuthConfig } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import type { Configuration } from '@/lib/config/environment';
import { isId } from '@/lib/domain/id';
import { readMembership } from '@/lib/store/read-membership';
import { addressOf } from './address';
import type { AuthContext, SignedIn } from './auth-context';
import type { AuthSettings } from './auth-settings';
import { safeCallbackUrl } from './callback-url';
import { signInWithLink } from './sign-in-link';
import { signInWithPassword } from './sign-in-with-password';
import { signInWithProvider } from './sign-in-with-provider';

/** A session says who it is of; after this long that is looked up again. */
const RECHECK_MS = 10_000;
const SESSION_SECONDS = 14 * 24 * 3_600;

class Refused extends CredentialsSignin {
  constructor(code: 'wrong' | 'too_many_attempts' | 'link_used') {
    super();
    this.code = code;
  }
}

const Shown = z.object({ email: z.string().max(1_000), password: z.string().max(5_000) });
const ShownLink = z.object({ token: z.string().max(200) });
const Person = z.object({ id: z.custom<SignedIn['userId']>((value) => isId('usr', value)), name: z.string(), authEpoch: z.number() });
const Claims = z.object({ sub: Person.shape.id, epoch: z.number(), checkedAt: z.number() });

export interface NextAuthParts {
  readonly context: AuthContext;
  readonly settings: AuthSettings;
  readonly oidc: Configuration['auth']['oidc'];
}

export function nextAuthConfig({ context, settings, oidc }: NextAuthParts): NextAuthConfig {
  const { secret, cookieName, secureCookies } = settings;
  return {
    secret,
    basePath: '/api/auth',
    // The request's own host, or AUTH_URL where that is set: redirects never leave it.
    trustHost: true,
    useSecureCookies: secureCookies,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    cookies: { sessionToken: { name: cookieName, options: { httpOnly: true, sameSite: 'lax', path: '/', secure: secureCookies } } },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    // What people typed is nothing for a log, and a refused sign-in is in the audit.
    logger: { error: (error) => reportUnexpected(error), warn: () => undefined, debug: () => undefined },
    providers: [passwordProvider(context), linkProvider(context), ...(oidc === undefined ? [] : [oidcProvider(oidc)])],
    callbacks: {
      redirect: ({ url, baseUrl }) => new URL(safeCallbackUrl(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url), baseUrl).href,
      async jwt({ token, user, account, profile }) {
        if (account !== null && account !== undefined) {
          const person = account.provider === 'oidc' ? await personOf(context, oidc, profile) : asSignedIn(user);
          return person === null ? null : { sub: person.userId, name: person.name, epoch: person.authEpoch, checkedAt: Date.now() };
        }
        return stillValid(context, token);
      },
      session: ({ session, token }) => ({ expires: session.expires, user: { id: token.sub ?? '', name: token.name ?? null } }),
    },
  };
}

function passwordProvider(context: AuthContext) {
  return Credentials({
    id: 'password',
    credentials: { email: {}, password: {} },
    async authorize(given, request) {
      const shown = Shown.safeParse(given);
      if (!shown.success) throw new Refused('wrong');
      const outcome = await signInWithPassword(context, { ...shown.data, address: addressOf(request.headers) });
      if (!outcome.ok) throw new Refused(outcome.code);
      return asUser(outcome.person);
    },
  });
}

function linkProvider(context: AuthContext) {
  return Credentials({
    id: 'link',
    credentials: { token: {} },
    async authorize(given, request) {
      const shown = ShownLink.safeParse(given);
      const person = shown.success ? await signInWithLink(context, shown.data.token, addressOf(request.headers)) : null;
      if (person === null) throw new Refused('link_used');
      return asUser(person);
    },
  });
}

const oidcProvider = (oidc: NonNullable<NextAuthParts['oidc']>) => ({
  id: 'oidc',
  name: oidc.name,
  type: 'oidc' as const,
  issuer: oidc.issuer,
  clientId: oidc.clientId,
  clientSecret: oidc.clientSecret,
  checks: ['pkce' as const, 'state' as const, 'nonce' as const],
});

const IdentityClaims = z.object({
  sub: z.string().min(1).max(300),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).nullish().catch(null),
  name: z.string().nullish(),
});

async function personOf(context: AuthContext, oidc: NextAuthParts['oidc'], profile: unknown): Promise<SignedIn | null> {
  const claims = IdentityClaims.safeParse(profile);
  if (!claims.success || oidc === undefined) return null;
  const { sub, email, email_verified: verified, name } = claims.data;
  return signInWithProvider(context, { issuer: oidc.issuer, subject: sub, email: email ?? null, emailVerified: verified === true, name: name ?? null });
}

const asUser = ({ userId, name, authEpoch }: SignedIn) => ({ id: userId, name, authEpoch });

function asSignedIn(user: unknown): SignedIn | null {
  const person = Person.safeParse(user);
  return person.success ? { userId: person.data.id, name: person.data.name, authEpoch: person.data.authEpoch } : null;
}

/** @returns the token, looked up again when that was long ago; null ends the session. */
async function stillValid<T extends Record<string, unknown>>({ store }: AuthContext, token: T): Promise<T | null> {
  const claims = Claims.safeParse(token);
  if (!claims.success) return null;
  if (Date.now() - claims.data.checkedAt <= RECHECK_MS) return token;
  const person = await readMembership(store, claims.data.sub);
  return person?.authEpoch === claims.data.epoch ? { ...token, name: person.name, checkedAt: Date.now() } : null;
}

function reportUnexpected(error: Error): void {
  if (error instanceof CredentialsSignin || error.name === 'CredentialsSignin') return;
  process.stderr.write(`${JSON.stringify({ level: 'error', name: 'sign-in', error: error.name })}\n`);
}
