import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '@/lib/testing/template-database';
import { createEmptyDatabase } from '@/lib/testing/template-database';
import { readMigrations } from './migrate/read-migrations';
import { openDatabase } from './open-database';

const open = (url: string) => openDatabase({ database: { kind: 'external', url }, dataDirectory: '/nowhere' });

/** A port on which `answer` says what happens to whoever connects. */
async function listener(answer: (socket: net.Socket) => void): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answer(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP port');
  return {
    port: address.port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A PostgreSQL of this version, as far as the probe asks: it lets everybody in and tells its version. */
function pretend(versionNumber: number): (socket: net.Socket) => void {
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const ready = message('Z', Buffer.from('I'));
  const text = Buffer.from(String(versionNumber));
  const column = Buffer.concat([Buffer.from('version\0'), Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0])]);
  return (socket) => {
    let started = false;
    socket.on('data', () => {
      if (!started) socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      else {
        socket.write(
          Buffer.concat([
            message('T', Buffer.concat([Buffer.from([0, 1]), column])),
            message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, text.length]), text])),
            message('C', Buffer.from('SELECT 1\0')),
            ready,
          ]),
        );
      }
      started = true;
    });
  };
}

describe('an external database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  test('is migrated when it is opened, and left alone when it is closed', async () => {
    const opened = await open(database.url);
    expect(opened.url).toBe(database.url);
    await opened.close();
    const again = await open(database.url);
    await again.close();
    expect((await readMigrations()).length).toBeGreaterThan(0);
  });

  test('that refuses the password says so, without showing one', async () => {
    const url = changed((address) => (address.password = 'hunter2'));
    await expect(open(url)).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      message: expect.stringMatching(/^The database 127\.0\.0\.1:\d+\/test_\w+ refuses the password\. (?!.*hunter2)/) as string,
    });
  });

  test('that does not exist says so', async () => {
    await expect(open(changed((address) => (address.pathname = '/not_there')))).rejects.toThrow(/not_there does not exist on its server/);
  });

  test('whose port nobody listens on says so', async () => {
    const closed = await listener(() => undefined);
    closed.close();
    await expect(open(`postgres://u:p@127.0.0.1:${closed.port}/x`)).rejects.toThrow(/nothing listens there/);
    await expect(open(`postgres://u:p@localhost:${closed.port}/x`)).rejects.toThrow(/nothing listens there/);
  });

  test('that never answers is given up within seconds', async () => {
    const silent = await listener(() => undefined);
    const started = performance.now();
    await expect(open(`postgres://u:p@127.0.0.1:${silent.port}/x`)).rejects.toThrow(/no answer within 5 seconds/);
    expect(performance.now() - started).toBeLessThan(10_000);
    silent.close();
  });

  test('that is no PostgreSQL is refused', async () => {
    const other = await listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(open(`postgres://u:p@127.0.0.1:${other.port}/x`)).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
    other.close();
  });

  test('older than 14 is refused by its version', async () => {
    const old = await listener(pretend(130_011));
    await expect(open(`postgres://u:p@127.0.0.1:${old.port}/x`)).rejects.toThrow(/is PostgreSQL 13, which is too old/);
    old.close();
  });
});
