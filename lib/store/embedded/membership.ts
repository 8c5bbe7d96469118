import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import { DATABASE_USER } from './cluster';
import type { DatabaseRecord } from './record';

/**
 * A process that uses the embedded database holds one connection under this name.
 * That is its membership: the server sees it end however the process ends, kill -9
 * included, so no list has to be kept or cleaned.
 */
const MEMBER = 'pilothouse member';
const LEFT = 'pilothouse left';

export const DATABASE_NAME = 'pilothouse';

export interface Member {
  readonly client: pg.Client;
  /** The client's own, known so that it can be kept from keeping the process alive. */
  readonly socket: Socket;
}

export function databaseUrl(record: DatabaseRecord): string {
  return `postgresql://${DATABASE_USER}:${record.password}@127.0.0.1:${record.port}/${DATABASE_NAME}`;
}

/**
 * Connects as a member, to the maintenance database, so that a membership never
 * stands in the way of work on Pilothouse's own.
 * @returns null when what answers there is another server, or nobody.
 */
export async function connectMember(record: DatabaseRecord): Promise<Member | null> {
  const socket = new Socket();
  const client = new pg.Client({
    host: '127.0.0.1',
    port: record.port,
    user: DATABASE_USER,
    password: record.password,
    database: 'postgres',
    application_name: MEMBER,
    connectionTimeoutMillis: 10_000,
    stream: () => socket,
  });
  client.on('error', () => undefined); // `end` follows, and that is what is listened to
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (rows[0]?.data_directory === record.cluster) return { client, socket };
  } catch {
    // Refused, still starting, or not our server: the caller finds out which by the cluster's own files.
  }
  await client.end().catch(() => undefined);
  return null;
}

/** Like `connectMember`, for a server that is known to run: waits out a recovery after a crash. */
export async function insistOnMember(record: DatabaseRecord): Promise<Member> {
  const deadline = performance.now() + 60_000;
  do {
    const member = await connectMember(record);
    if (member) return member;
    await sleep(50);
  } while (performance.now() < deadline);
  throw new DatabaseUnavailableError(
    `The embedded database in ${record.cluster} runs on port ${record.port} but does not let Pilothouse in; see server.log there.`,
  );
}

export async function createDatabase({ client }: Member): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE_NAME]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE_NAME}`);
}

/**
 * Gives the membership up and says how many others remain. For the holder of the
 * database lock only: then of two leaving at once, one sees none.
 *
 * It renames itself before it ends, because a backend is still listed for a moment
 * after its client is gone and would be counted by whoever leaves next.
 */
export async function resign({ client, socket }: Member): Promise<number> {
  socket.ref();
  await client.query(`SET application_name = '${LEFT}'`);
  const { rows } = await client.query<{ members: number }>(
    'SELECT count(*)::int AS members FROM pg_stat_activity WHERE application_name = $1',
    [MEMBER],
  );
  await client.end();
  return rows[0]?.members ?? 0;
}
