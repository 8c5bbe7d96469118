import { access } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import { prepareBinaries } from './binaries';
import { initialiseCluster, ownerOf } from './cluster';
import { placeForBinaries, placeForCluster } from './place';
import { choosePort } from './port';
import { disownForeignPid, findPostmaster } from './postmaster';
import type { DatabaseRecord } from './record';
import { newPassword, readRecord, recordFile, writeRecord } from './record';
import { startServer, waitForEnd } from './server';
import { systemUser } from './system-user';

const ATTEMPTS = 20;
const PATIENCE_MS = 120_000;

/**
 * Makes sure that the server of this data directory runs: adopts the one that does,
 * else starts it, after making its cluster when there was none. Returns the record
 * as it holds now. For the holder of the database lock only.
 */
export async function ensureServer(dataDirectory: string, durable: boolean): Promise<DatabaseRecord> {
  const known = await readRecord(dataDirectory);
  const record = known?.initialised === true ? known : await makeCluster(dataDirectory, known, durable);
  if (known?.initialised === true) await insistOnCluster(dataDirectory, record);

  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const postmaster = await findPostmaster(record.cluster);
    switch (postmaster.state) {
      case 'absent':
      case 'dead':
        return start(dataDirectory, record, durable);
      case 'foreign':
        await disownForeignPid(record.cluster);
        return start(dataDirectory, record, durable);
      case 'ours':
        if (postmaster.ready) return remember(dataDirectory, record, postmaster.port);
        // On its way up or down, begun by a process that was killed meanwhile: soon there is a clear state.
        await sleep(50);
        break;
    }
  }
  throw new DatabaseUnavailableError(`The embedded database in ${record.cluster} neither becomes ready nor stops; see server.log there.`);
}

/** The caller sets `initialised` once the cluster holds the database, by `markInitialised`. */
async function makeCluster(
  dataDirectory: string,
  unfinished: DatabaseRecord | null,
  durable: boolean,
): Promise<DatabaseRecord> {
  const user = await systemUser();
  const binaries = await prepareBinaries(user, await placeForBinaries(dataDirectory, user));
  const record = {
    cluster: unfinished?.cluster ?? (await placeForCluster(dataDirectory, user)),
    initialised: false,
    port: await choosePort(),
    password: newPassword(),
  };
  const leftover = await findPostmaster(record.cluster);
  if (leftover.state === 'ours') {
    // Its maker was killed between starting it and remembering so: nobody has been given its address yet.
    process.kill(leftover.pid, 'SIGINT');
    await waitForEnd(leftover.pid, record.cluster);
  }
  await writeRecord(dataDirectory, record);
  await initialiseCluster({ cluster: record.cluster, password: record.password, user, binaries, durable });
  return record;
}

export async function markInitialised(dataDirectory: string, record: DatabaseRecord): Promise<DatabaseRecord> {
  if (record.initialised) return record;
  const complete = { ...record, initialised: true };
  await writeRecord(dataDirectory, complete);
  return complete;
}

async function insistOnCluster(dataDirectory: string, record: DatabaseRecord): Promise<void> {
  const present = await access(record.cluster).then(
    () => true,
    () => false,
  );
  if (present) return;
  throw new DatabaseUnavailableError(
    `The database of ${dataDirectory} was in ${record.cluster} and is gone. ` +
      `Restore it; or, to begin with an empty one, delete ${recordFile(dataDirectory)}.`,
  );
}

async function start(dataDirectory: string, record: DatabaseRecord, durable: boolean): Promise<DatabaseRecord> {
  const user = await ownerOf(record.cluster);
  const binaries = await prepareBinaries(user, await placeForBinaries(dataDirectory, user));
  let current = record;
  let log = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // The same port whenever possible: other processes that lost the server hold its address.
    current = await remember(dataDirectory, current, await choosePort(current.port));
    const outcome = await startServer({ cluster: current.cluster, port: current.port, user, binaries, durable });
    if (outcome.started) return current;
    log = outcome.log;
    if (outcome.retry === null) break;
    if (outcome.retry === 'wait') await sleep(250);
  }
  throw new DatabaseUnavailableError(
    `The embedded database in ${record.cluster} does not start:\n${log.split('\n').slice(-6).join('\n')}`,
  );
}

async function remember(dataDirectory: string, record: DatabaseRecord, port: number): Promise<DatabaseRecord> {
  if (record.port === port) return record;
  const changed = { ...record, port };
  await writeRecord(dataDirectory, changed);
  return changed;
}
