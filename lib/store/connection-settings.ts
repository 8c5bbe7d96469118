import { Socket } from 'node:net';
import type { ClientConfig, PoolConfig } from 'pg';

/**
 * A connection on which a statement has waited so long for the server's first byte is
 * given up. The server gives a statement up earlier, so that this happens only where
 * the server, or the way to it, is gone without a word: a half-open socket at COMMIT
 * would otherwise hang for ever.
 */
export const SILENCE_MS = 15_000;
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;
/** Below SILENCE_MS: an idle connection must not look like a silent one. */
const IDLE_MS = 10_000;

/** How every connection of a pool is made. Settings in the URL win, except for the time zone. */
export function connectionSettings(url: string, silenceMs = SILENCE_MS): PoolConfig {
  return {
    connectionString: inUtc(url),
    application_name: 'pilothouse',
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: SILENCE_MS,
    stream: () => boundedSocket(silenceMs),
  };
}

/** Prisma's adapter reads every timestamptz as if it were UTC, so every connection must speak UTC. */
function inUtc(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  address.searchParams.set('options', [given, '-c TimeZone=UTC'].filter((part) => part !== null && part !== '').join(' '));
  // pg reads a plus as a plus, URLSearchParams writes a space as one.
  return address.href.replaceAll('+', '%20');
}

function boundedSocket(silenceMs: number): Socket {
  const socket = new Socket();
  // Counts from the last byte in either direction: for a waiting statement, from its sending.
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('the database was silent for too long')));
  return socket;
}

/** For the one connection that waits for wake-ups: silence is its nature, so it is probed instead of timed. */
export function listenerSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'pilothouse listener',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    stream: () => boundedSocket(2 * SILENCE_MS).unref(),
  };
}
