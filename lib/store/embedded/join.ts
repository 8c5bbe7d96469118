import { setTimeout as sleep } from 'node:timers/promises';
import type { Configuration } from '@/lib/config/environment';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import { ensureServer, markInitialised } from './ensure-server';
import { isDatabaseLocked, underDatabaseLock } from './lock';
import type { Member } from './membership';
import { connectMember, createDatabase, databaseUrl, insistOnMember, resign } from './membership';
import { prepareDataDirectory } from './place';
import type { DatabaseRecord } from './record';
import { readRecord } from './record';
import { stopServer } from './server';

export interface EmbeddedDatabase {
  readonly url: string;
  /**
   * Ends this process's use; the last to leave stops the server. Does not fail and
   * may be called twice. Close other connections first.
   */
  readonly leave: () => Promise<void>;
}

export interface JoinOptions {
  /** False lets a server that this call starts lose data with the machine. For tests. */
  readonly durable?: boolean;
}

interface Membership {
  readonly record: DatabaseRecord;
  readonly member: Member;
}

/**
 * Joins the database of the data directory, starting or adopting its server.
 *
 * | moment                         | what holds                                            |
 * |--------------------------------|-------------------------------------------------------|
 * | start, stop, first set-up      | only under the database lock                          |
 * | resolved                       | the server runs, and nobody stops it while we are in  |
 * | our connection breaks          | we join again, starting the server if it died         |
 * | `leave` by the last            | the server has stopped                                |
 * | kill -9 of the last            | the server runs on; the next to join adopts it        |
 *
 * A membership alone does not keep the process alive.
 * @throws DatabaseUnavailableError
 */
export async function joinEmbeddedDatabase(
  configuration: Pick<Configuration, 'dataDirectory'>,
  { durable = true }: JoinOptions = {},
): Promise<EmbeddedDatabase> {
  const dataDirectory = await prepareDataDirectory(configuration.dataDirectory).catch(asUnavailable('The data directory cannot be made'));
  let membership = await join(dataDirectory, durable).catch(asUnavailable('The embedded database cannot be started'));
  const url = databaseUrl(membership.record);
  const leaving = new AbortController();
  let rejoining: Promise<void> = Promise.resolve();

  const watch = (current: Membership): void => {
    current.member.socket.unref();
    current.member.client.once('end', () => {
      if (!leaving.signal.aborted) rejoining = rejoin();
    });
  };
  const rejoin = async (): Promise<void> => {
    for (let delay = 20; !leaving.signal.aborted; delay = Math.min(delay * 2, 2_000)) {
      try {
        membership = await join(dataDirectory, durable);
        watch(membership);
        return;
      } catch {
        // Nobody waits for this; those who use the database see their own errors and the reason in them.
        await sleep(delay, undefined, { ref: false, signal: leaving.signal }).catch(() => undefined);
      }
    }
  };
  watch(membership);

  let left: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    leaving.abort();
    await rejoining;
    await underDatabaseLock(dataDirectory, () => leaveLocked(membership));
  };
  return { url, leave: () => (left ??= leave().catch(() => undefined)) };
}

function asUnavailable(what: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof DatabaseUnavailableError) throw error;
    throw new DatabaseUnavailableError(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  };
}

async function join(dataDirectory: string, durable: boolean): Promise<Membership> {
  return (await joinRunning(dataDirectory)) ?? underDatabaseLock(dataDirectory, () => joinLocked(dataDirectory, durable));
}

/**
 * Without the lock, for the usual case that the server runs. Sound because a leaver
 * counts members under the lock: one who takes it after we are connected sees us, and
 * if somebody holds it by then, we cannot know and ask again under the lock.
 */
async function joinRunning(dataDirectory: string): Promise<Membership | null> {
  const record = await readRecord(dataDirectory);
  if (record?.initialised !== true) return null;
  const member = await connectMember(record);
  if (member === null) return null;
  if (!(await isDatabaseLocked(dataDirectory))) return { record, member };
  await member.client.end().catch(() => undefined);
  return null;
}

async function joinLocked(dataDirectory: string, durable: boolean): Promise<Membership> {
  const running = await ensureServer(dataDirectory, durable);
  const member = await insistOnMember(running);
  if (!running.initialised) await createDatabase(member);
  return { record: await markInitialised(dataDirectory, running), member };
}

async function leaveLocked({ record, member }: Membership): Promise<void> {
  let others: number;
  try {
    others = await resign(member);
  } catch {
    // The connection broke just now. If the server lives, a new one can still tell whether we were the last.
    const again = await connectMember(record);
    others = again ? await resign(again) : 1;
  }
  if (others === 0) await stopServer(record.cluster);
}
