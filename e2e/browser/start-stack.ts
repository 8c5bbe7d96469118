import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { joinEmbeddedDatabase } from '@/lib/store/embedded/join';
import { STORAGE_STATE, tellStack } from './stack';

const ROOT = path.resolve(import.meta.dirname, '../..');
const READY_MS = 600_000;
const ADMIN_TOKEN = 'the-admin-token-of-browser-tests';

/** Everything as `npm start` starts it, in a directory of its own. @returns what stops it. */
export default async function startStack(): Promise<() => Promise<void>> {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'pilothouse-browser-')));
  chmodSync(home, 0o711); // the database's user may not be ours
  const dataDirectory = path.join(home, 'data');
  mkdirSync(path.join(dataDirectory, 'workspaces'), { recursive: true });
  const database = await joinEmbeddedDatabase({ dataDirectory: path.join(home, 'database') }, { durable: false });
  const port = await freePort();

  const child = spawn(process.execPath, [path.join(ROOT, 'lib/cli/pilothouse.mjs'), 'start'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutOurs(process.env),
      DATABASE_URL: database.url,
      PILOTHOUSE_DATA_DIR: dataDirectory,
      PILOTHOUSE_ADMIN_TOKEN: ADMIN_TOKEN,
      PORT: String(port),
      HOST: '127.0.0.1',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await database.leave();
    await rm(home, { recursive: true, force: true });
    await rm(STORAGE_STATE, { force: true });
  };

  const deadline = Date.now() + READY_MS;
  for (;;) {
    const link = /(http:\S+\/sign-in\/link\?token=\S+)/.exec(said)?.[1];
    if (link !== undefined) {
      tellStack({ url: `http://127.0.0.1:${port}`, databaseUrl: database.url, dataDirectory, signInLink: link, adminToken: ADMIN_TOKEN, pid: child.pid ?? 0 });
      return stop;
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`Pilothouse did not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What the person's own shell says must not reach the stack. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(DATABASE_URL|PORT|HOST|AUTH_.*|OPENAI_.*|PILOTHOUSE_.*)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name))) as NodeJS.ProcessEnv;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise<void>((closed) => server.close(() => closed()));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
