import pg from 'pg';
import { DatabaseUnavailableError } from './database-unavailable-error';

const PATIENCE_MS = 5_000;
const OLDEST_MAJOR = 14;

/**
 * Resolves when the PostgreSQL at `url` lets us in and is new enough.
 * @throws DatabaseUnavailableError within about five seconds, else.
 */
export async function probeDatabase(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'pilothouse probe',
  });
  client.on('error', () => undefined); // `connect` or `query` rejects too
  let version: number;
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>("SELECT current_setting('server_version_num')::int AS version");
    version = rows[0]?.version ?? 0;
  } catch (error) {
    throw new DatabaseUnavailableError(`The database ${shown(url)} ${problemOf(error)} Check DATABASE_URL, or unset it for the embedded database.`);
  } finally {
    await client.end().catch(() => undefined);
  }
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_MAJOR) {
    throw new DatabaseUnavailableError(
      `The database ${shown(url)} is PostgreSQL ${major}, which is too old: ${OLDEST_MAJOR} or newer is needed.`,
    );
  }
}

/** Host and name only: the address also holds the password, and its parameters may hold keys. */
function shown(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host === '' ? 'localhost' : host}${pathname}`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'cannot be reached: nothing listens there.',
  ENOTFOUND: 'cannot be reached: there is no host of that name.',
  EAI_AGAIN: 'cannot be reached: the name of its host cannot be looked up now.',
  ETIMEDOUT: 'cannot be reached: no answer.',
  EHOSTUNREACH: 'cannot be reached: no way to its host.',
  ENETUNREACH: 'cannot be reached: no way to its network.',
  ECONNRESET: 'broke the connection off.',
  '28P01': 'refuses the password.',
  '28000': 'refuses this user.',
  '3D000': 'does not exist on its server.',
  '53300': 'has no connection free.',
  '57P03': 'is starting or stopping.',
};

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const known = code === undefined ? undefined : PROBLEMS[code];
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : String(error);
  // pg gives its own timeouts no code.
  if (/timeout/i.test(message)) return `cannot be reached: no answer within ${PATIENCE_MS / 1000} seconds.`;
  return `cannot be used: ${message}${code === undefined ? '' : ` (${code})`}.`;
}
