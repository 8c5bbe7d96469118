import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { instant, integer } from './columns';
import { openStore, type Store } from './database';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url, { poolSize: 4 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

describe('a store', () => {
  test('reads times right whatever the time zone of the database', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await store.rows(z.unknown(), `SELECT 1`);
    const other = openStore(withOptions(database.url, '-c work_mem=5MB'));
    await other.rows(z.unknown(), `DO $$ BEGIN EXECUTE 'ALTER DATABASE ${name} SET TimeZone = ''Asia/Kathmandu'''; END $$`);
    const fresh = openStore(withOptions(database.url, '-c work_mem=5MB'));
    const [row] = await fresh.rows(
      z.object({ at: instant, work_mem: z.string() }),
      "SELECT timestamptz '2026-01-02 03:04:05.678+00' AS at, current_setting('work_mem') AS work_mem",
    );
    await other.close();
    await fresh.close();
    expect(row?.at.toISOString()).toBe('2026-01-02T03:04:05.678Z');
    expect(row?.work_mem).toBe('5MB');
  });

  test('refuses an integer that JavaScript cannot hold, rather than return another one', async () => {
    await expect(store.rows(z.object({ n: integer }), 'SELECT 9007199254740993::bigint AS n')).rejects.toThrow('safe integer');
    await expect(store.rows(z.object({ n: integer }), 'SELECT 9007199254740991::bigint AS n')).resolves.toEqual([{ n: 9007199254740991 }]);
  });

  test('says what a failure means, and nothing of the statement', async () => {
    const failure = await store.rows(z.unknown(), "INSERT INTO member VALUES ('p', 'u', 'emperor')").catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'StoreError', code: 'data', sqlState: '23514' });
    expect(String(failure)).not.toContain('emperor');
    await expect(store.rows(z.unknown(), 'SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.rows(z.object({ n: integer }), 'SELECT 1 AS n')).resolves.toEqual([{ n: 1 }]);
  });

  test('carries out a transaction whole or not at all, and passes on what it threw', async () => {
    const insert = (id: string) => [z.unknown(), 'INSERT INTO project (id, name) VALUES ($1, $1)', id] as const;
    class Mine extends Error {}
    await expect(
      store.transaction(async (sql) => {
        await sql.rows(...insert('prj_a'));
        throw new Mine();
      }),
    ).rejects.toThrow(Mine);
    await store.transaction((sql) => sql.rows(...insert('prj_b')));
    await expect(store.rows(z.object({ id: z.string() }), 'SELECT id FROM project')).resolves.toEqual([{ id: 'prj_b' }]);
  });

  test('runs a transaction again after a deadlock', async () => {
    await store.rows(z.unknown(), "INSERT INTO project (id, name) VALUES ('prj_x', 'x'), ('prj_y', 'x')");
    let attempts = 0;
    const both = (first: string, second: string, gate: () => Promise<void>) =>
      store.transaction(async (sql) => {
        attempts += 1;
        await sql.rows(z.unknown(), 'UPDATE project SET name = $2 WHERE id = $1', first, first);
        if (attempts <= 2) await gate();
        await sql.rows(z.unknown(), 'UPDATE project SET name = $2 WHERE id = $1', second, first);
      });
    let arrived = 0;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = async (): Promise<void> => {
      arrived += 1;
      if (arrived === 2) open();
      await opened;
    };
    await Promise.all([both('prj_x', 'prj_y', gate), both('prj_y', 'prj_x', gate)]);
    expect(attempts).toBe(3);
  });
});

function withOptions(url: string, options: string): string {
  const address = new URL(url);
  address.searchParams.set('options', options);
  return address.href.replaceAll('+', '%20');
}
