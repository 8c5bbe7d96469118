import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { joinEmbeddedDatabase } from '@/lib/store/embedded/join';
import { bundleProgram } from '@/lib/testing/bundle-program';
import type { DataDirectory } from './fixtures/data-directory';
import { makeDataDirectory } from './fixtures/data-directory';

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** One process that uses the database (fixtures/database-user.ts). */
interface User {
  readonly child: Child;
  readonly url: string;
}

let program: string;
let data: DataDirectory;
const children: Child[] = [];

beforeAll(async () => {
  program = await bundleProgram('e2e/fixtures/database-user.ts');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function spawnUser(): Child {
  const child = spawn(process.execPath, [program, data.path], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function startUser(): Promise<User> {
  const child = spawnUser();
  for await (const url of createInterface(child.stdout)) return { child, url };
  throw new Error('the process ended without an address');
}

async function leave({ child }: User): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
}

async function kill({ child }: User): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a new embedded database', { timeout: 120_000 }, () => {
  beforeEach(() => {
    data = makeDataDirectory();
  });
  afterEach(() => data.remove());

  test('ten processes that start at once on a new data directory share one server, and the last to leave stops it', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, startUser));
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);
    const pid = await data.serverPid();
    expect(pid).not.toBeNull();
    await Promise.all(users.slice(1).map(leave));
    expect(await data.serverPid()).toBe(pid);
    await Promise.all(users.slice(0, 1).map(leave));
    expect(await data.serverPid()).toBeNull();
  });

  test('ten that leave at once leave no server behind', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, startUser));
    await Promise.all(users.map(leave));
    expect(await data.serverPid()).toBeNull();
  });

  test.each([20, 120, 300, 600, 900])('a first start killed after %i ms does not stand in the way of the next', async (moment) => {
    const child = spawnUser();
    const ended = once(child, 'exit');
    await sleep(moment);
    child.kill('SIGKILL');
    await ended;
    const user = await startUser();
    await expect(query(user.url, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await leave(user);
    expect(await data.serverPid()).toBeNull();
  });

  test('a cluster that is gone is reported, not replaced by an empty one', async () => {
    await leave(await startUser());
    const cluster = data.cluster();
    await rm(cluster, { recursive: true });
    await expect(joinEmbeddedDatabase({ dataDirectory: data.path })).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      message: expect.stringContaining(cluster) as string,
    });
  });
});

describe('an embedded database', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    data = makeDataDirectory();
    await leave(await startUser());
  });
  afterAll(() => data.remove());

  test('starts and leaves in any order never meet a server that is gone', async () => {
    const lives = Array.from({ length: 12 }, async (_, index) => {
      await sleep(index * 60);
      const user = await startUser();
      await expect(query(user.url, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
      await leave(user);
    });
    await Promise.all(lives);
    expect(await data.serverPid()).toBeNull();
  });

  test('a killed user is not counted among those who remain', async () => {
    const killed = await startUser();
    const other = await startUser();
    await kill(killed);
    await expect(query(other.url, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await leave(other);
    expect(await data.serverPid()).toBeNull();
  });

  test('a server whose users were all killed is adopted, with its data', async () => {
    const first = await startUser();
    await query(first.url, 'CREATE TABLE adopted AS SELECT 7 AS value');
    const pid = await data.serverPid();
    await kill(first);
    expect(await data.serverPid()).toBe(pid);
    const second = await startUser();
    expect(await data.serverPid()).toBe(pid);
    await expect(query(second.url, 'SELECT value FROM adopted')).resolves.toEqual([{ value: 7 }]);
    await leave(second);
    expect(await data.serverPid()).toBeNull();
  });

  test('a killed server is started again by those who use it, at the same address, with its data', async () => {
    const users = await Promise.all([startUser(), startUser(), startUser()]);
    const url = users[0].url;
    await query(url, 'CREATE TABLE restarted AS SELECT 7 AS value');
    const pid = (await data.serverPid()) ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => query(url, 'SELECT value FROM restarted').catch(() => null), { timeout: 20_000 }).toEqual([{ value: 7 }]);
    expect(await data.serverPid()).not.toBe(pid);
    const members = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pilothouse member'";
    await expect.poll(() => query(url, members), { timeout: 20_000 }).toHaveLength(3);
    for (const user of users) await leave(user);
    expect(await data.serverPid()).toBeNull();
  });

  test('a user that loses only its own connection joins again', async () => {
    const user = await startUser();
    const members = "FROM pg_stat_activity WHERE application_name = 'pilothouse member'";
    const [before] = await query(user.url, `SELECT pid ${members}`);
    await query(user.url, `SELECT pg_terminate_backend(pid) ${members}`);
    await expect.poll(() => query(user.url, `SELECT pid ${members}`)).toHaveLength(1);
    await expect(query(user.url, `SELECT pid ${members}`)).resolves.not.toEqual([before]);
    await leave(user);
    expect(await data.serverPid()).toBeNull();
  });

  test('a pid file that names a process of somebody else does not stop the start', async () => {
    const first = await startUser();
    const pidFile = path.join(data.cluster(), 'postmaster.pid');
    await query(first.url, 'CREATE TABLE started_anew AS SELECT 7 AS value');
    const pid = (await data.serverPid()) ?? 0;
    await kill(first);
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => data.serverPid()).toBeNull();
    writeFileSync(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));
    const second = await startUser();
    await expect(query(second.url, 'SELECT value FROM started_anew')).resolves.toEqual([{ value: 7 }]);
    expect(await data.serverPid()).not.toBe(process.pid);
    await leave(second);
  });

  test('a port that was taken meanwhile is replaced by another', async () => {
    await leave(await startUser());
    const port = data.port();
    const occupant = net.createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => occupant.listen(port, '127.0.0.1', listening));
    try {
      const user = await startUser();
      expect(data.port()).not.toBe(port);
      await expect(query(user.url, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
      await leave(user);
    } finally {
      occupant.close();
    }
  });

  test('durability is on, other machines are kept out, and the address needs its password', async () => {
    const user = await startUser();
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'max_connections', 'password_encryption'];
    const columns = settings.map((name) => `current_setting('${name}') AS ${name}`).join(', ');
    await expect(query(user.url, `SELECT ${columns}`)).resolves.toEqual([
      {
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        listen_addresses: '127.0.0.1',
        max_connections: '200',
        password_encryption: 'scram-sha-256',
      },
    ]);
    const wrong = new URL(user.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await leave(user);
  });

  test.runIf(process.platform === 'linux')('the server leads a session of its own, out of reach of Ctrl-C', async () => {
    const user = await startUser();
    const pid = (await data.serverPid()) ?? 0;
    // Fields of stat(5) after the command: state, ppid, pgrp, session.
    const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    expect([Number(group), Number(session)]).toEqual([pid, pid]);
    await leave(user);
  });
});
