import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWeb } from '@/lib/cli/start/build-web';
import { findPackageRoot } from '@/lib/config/package-root';

export interface WebServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly stderr: () => string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface WebOptions {
  readonly databaseUrl: string;
  /** PILOTHOUSE_DATA_DIR and what else the server is told. */
  readonly env: Readonly<Record<string, string>>;
  /** To come back at the same address. */
  readonly port?: number;
  /** Do not wait until the database is there. */
  readonly unready?: boolean;
}

const READY_MS = 60_000;

/** The built web server as a process of its own; built once, and again when a source has changed. */
export async function startWeb({ databaseUrl, env, port, unready = false }: WebOptions): Promise<WebServer> {
  const packageRoot = findPackageRoot();
  const built = await buildWeb(packageRoot, () => undefined);
  if (!built.ok) throw new Error(`the web pages could not be built:\n${built.output}`);

  const chosen = port ?? (await freePort());
  const url = `http://127.0.0.1:${chosen}`;
  const child = spawn(process.execPath, [path.join(packageRoot, 'node_modules/next/dist/bin/next'), 'start', '-p', String(chosen), '-H', '127.0.0.1'], {
    cwd: packageRoot,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'], // ends with us
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NEXT_MANUAL_SIG_HANDLE: '1', DATABASE_URL: databaseUrl, ...env },
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-50_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const health = unready ? 'healthz' : 'readyz';
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`${url}/api/${health}`).catch(() => null);
    if (answer?.ok === true) return { url, stderr: () => stderr, stop };
    if (child.exitCode === null && performance.now() < deadline) {
      await sleep(50);
      continue;
    }
    await stop('SIGKILL');
    throw new Error(`the web server did not become ready (${answer?.status ?? 'no answer'}):\n${stderr}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  await new Promise<void>((closed) => {
    server.close(() => {
      closed();
    });
  });
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
