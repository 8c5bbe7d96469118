import type { Configuration } from '@/lib/config/environment';
import { readSecretKey } from '@/lib/config/secret-key';

/** How sessions are sealed and named; the same in every web process of an installation. */
export interface AuthSettings {
  readonly secret: string;
  /** Over https only, where the address that people use is known to be https. */
  readonly secureCookies: boolean;
  readonly cookieName: string;
}

/** The secret is AUTH_SECRET, else a key that is made once and kept in the data directory. */
export function authSettings(configuration: Pick<Configuration, 'auth' | 'dataDirectory'>): AuthSettings {
  const secureCookies = configuration.auth.url?.startsWith('https:') ?? false;
  return {
    secret: configuration.auth.secret ?? keptSecret(configuration.dataDirectory),
    secureCookies,
    cookieName: `${secureCookies ? '__Secure-' : ''}pilothouse.session`,
  };
}

const kept = new Map<string, string>();

function keptSecret(dataDirectory: string): string {
  const known = kept.get(dataDirectory) ?? readSecretKey(dataDirectory, 'auth').toString('base64url');
  kept.set(dataDirectory, known);
  return known;
}
