import type { Configuration } from '@/lib/config/environment';
import { usageError } from '../cli-error';
import { quoted } from '../invocation';
import type { Shell } from '../shell';

/** The options that send a verb elsewhere. */
export interface RemoteFlags {
  readonly url?: string;
  readonly token?: string;
}

export interface ControlPlaneAddress {
  /** Without a slash at its end; nothing secret in it. */
  readonly url: string;
  /** Never shown. */
  readonly token: string;
}

/**
 * Where the engine is: null for this process. The options go before the environment.
 * @throws CliError (usage), with neither the token nor a password of the address in it.
 */
export function chooseControlPlane(flags: RemoteFlags, configured: Configuration['remote']): ControlPlaneAddress | null {
  const given = flags.url ?? configured.url;
  if (given === undefined) {
    if (flags.token !== undefined) throw usageError('--token is given without --url', 'Say where it is valid: --url URL, or PILOTHOUSE_URL.');
    return null;
  }
  const url = baseOf(given);
  const token = flags.token ?? configured.token;
  if (token === undefined || token === '') throw usageError(`there is no token for ${url}`, 'Set PILOTHOUSE_TOKEN, or give --token.');
  // What cannot stand in a header would be quoted by the error that says so.
  if (!/^[\x21-\x7E]+$/.test(token)) throw usageError('the token has characters that no token has');
  return { url, token };
}

function baseOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw usageError('--url is not an address: it must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw usageError('--url must not hold a user name or a password', 'The token says who asks.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** So that the commands that are shown work when they are copied; the token is not in them. */
export function shellFor(shell: Shell, { url }: ControlPlaneAddress, flags: RemoteFlags): Shell {
  return flags.url === undefined ? shell : { ...shell, program: `PILOTHOUSE_URL=${quoted(url)} ${shell.program}` };
}
