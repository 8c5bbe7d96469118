import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from './template-database';
import { createTestDatabase, withDatabase } from './template-database';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('is durable and speaks UTF-8, as a real one does', async () => {
    await expect(query(database.url, "SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding")).resolves.toEqual([
      { fsync: process.env.PILOTHOUSE_TEST_FAST === '1' ? 'off' : 'on', encoding: 'UTF8' },
    ]);
  });

  test('shares nothing with another one', async () => {
    await query(database.url, 'CREATE TABLE only_here (id int)');
    await withDatabase(async (url) => {
      await expect(query(url, 'SELECT * FROM only_here')).rejects.toThrow('only_here');
    });
    await expect(query(database.url, 'SELECT * FROM only_here')).resolves.toEqual([]);
  });

  test('is gone after its use, open sessions or not', async () => {
    const lingering = await withDatabase(async (url) => {
      const client = new pg.Client({ connectionString: url });
      const ended = new Promise<Error>((resolve) => client.on('error', resolve));
      await client.connect();
      return { url, ended };
    });
    expect((await lingering.ended).message).toContain('terminat');
    await expect(query(lingering.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });
});
