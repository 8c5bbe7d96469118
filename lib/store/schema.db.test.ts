import pg from 'pg';
import { expect, test } from 'vitest';
import { withDatabase } from '@/lib/testing/template-database';
import { migrationsToSchema, ownSources } from './migrate/schema-engine';
import { TABLES } from './table-registry';

test('schema.prisma and the migrations say the same', async () => {
  await withDatabase(async (url) => {
    await expect(migrationsToSchema(url, ownSources())).resolves.toBeNull();
  });
});

test('the registry names every table, and no other', async () => {
  await withDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    );
    await client.end();
    expect(rows.map((row) => row.tablename).sort()).toEqual(Object.keys(TABLES).sort());
  });
});
