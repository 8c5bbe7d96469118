import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { EmbeddedDatabase } from '@/lib/store/embedded/join';
import { joinEmbeddedDatabase } from '@/lib/store/embedded/join';
import { cleanUpAfterDeath } from './clean-up-after-death';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers every connection with the address of the run's PostgreSQL server. */
    postgresSocket: string;
  }
}

/**
 * The one PostgreSQL of a test run, in a data directory of its own.
 *
 * It starts when the first test asks, so that a run of pure tests does not wait for
 * it; and it is asked over a socket, because test files live in other processes.
 * `PILOTHOUSE_TEST_DATABASE_URL` (a superuser's address) names a server to use
 * instead. `PILOTHOUSE_TEST_FAST=1` turns durability off: tests of what survives a
 * kill of a process still hold, those of what survives the machine would not.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(path.join(tmpdir(), 'pilothouse-test-'));
  chmodSync(home, 0o711); // the server's user may not be ours
  cleanUpAfterDeath(home);
  let server: Promise<EmbeddedDatabase> | undefined;
  const external = process.env.PILOTHOUSE_TEST_DATABASE_URL;

  const address = async (): Promise<string> => {
    if (external !== undefined && external !== '') return external;
    const durable = process.env.PILOTHOUSE_TEST_FAST !== '1';
    server ??= joinEmbeddedDatabase({ dataDirectory: path.join(home, 'data') }, { durable });
    return (await server).url;
  };

  const socket = path.join(home, 'address.sock');
  const listener = createServer((connection) => {
    connection.on('error', () => undefined); // a test process that is gone needs no answer
    address().then(
      (url) => connection.end(JSON.stringify({ url })),
      (error: unknown) => connection.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((listening) => listener.listen(socket, listening));
  project.provide('postgresSocket', socket);

  return async () => {
    listener.close();
    await (await server?.catch(() => undefined))?.leave();
    await rm(home, { recursive: true, force: true });
  };
}
