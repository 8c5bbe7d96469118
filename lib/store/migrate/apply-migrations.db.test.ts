import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '@/lib/testing/template-database';
import { createEmptyDatabase } from '@/lib/testing/template-database';
import { applyMigrations } from './apply-migrations';
import { MigrationError } from './migration-error';
import { newMigration } from './new-migration';
import { diagnose, migrationsToSchema } from './schema-engine';

const SCHEMA = `
datasource db {
  provider = "postgresql"
}
model Ship {
  id    Int    @id
  name  String @unique
}
`;
const SHIP = 'CREATE TABLE "Ship" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL, CONSTRAINT "Ship_pkey" PRIMARY KEY ("id"));';
const UNIQUE = 'CREATE UNIQUE INDEX "Ship_name_key" ON "Ship"("name");';
/** Statements that a splitter at semicolons would tear apart. */
const TRICKY = `
CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;
COMMENT ON FUNCTION one() IS 'a; b';`;

let directory: string;
let database: TestDatabase;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'pilothouse-migrations-'));
  writeFileSync(path.join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
  database = await createEmptyDatabase();
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await database.drop();
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(directory, name), { recursive: true });
  writeFileSync(path.join(directory, name, 'migration.sql'), sql);
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const apply = () => applyMigrations(database.url, { directory });
const sources = () => {
  const schemaFile = path.join(directory, 'schema.prisma');
  writeFileSync(schemaFile, SCHEMA);
  return { schemaFile, directory };
};

describe('migrations', () => {
  test('are applied once, in the order of their names', async () => {
    write('20260102000000_unique', UNIQUE);
    write('20260101000000_ship', SHIP);
    await expect(apply()).resolves.toEqual(['20260101000000_ship', '20260102000000_unique']);
    await expect(apply()).resolves.toEqual([]);
    write('20260103000000_tricky', TRICKY);
    await expect(apply()).resolves.toEqual(['20260103000000_tricky']);
    await expect(query('SELECT one()')).resolves.toEqual([{ one: 1 }]);
  });

  test('are recorded as Prisma itself would: its engine finds the history clean', async () => {
    write('20260101000000_ship', SHIP);
    write('20260102000000_unique', UNIQUE);
    await apply();
    await expect(diagnose(database.url, sources())).resolves.toMatchObject({
      hasMigrationsTable: true,
      history: null,
      failedMigrationNames: [],
      editedMigrationNames: [],
    });
  });

  test('of five starts at once, one applies and the others wait', async () => {
    write('20260101000000_slow', `${SHIP} SELECT pg_sleep(0.4);`);
    const applied = await Promise.all(Array.from({ length: 5 }, apply));
    expect(applied.flat()).toEqual(['20260101000000_slow']);
    await expect(query('SELECT 1 FROM _prisma_migrations')).resolves.toHaveLength(1);
  });

  test('one that fails leaves nothing, and goes through once it is mended', async () => {
    write('20260101000000_ship', `${SHIP} SELECT no_such_thing;`);
    await expect(apply()).rejects.toThrow(/20260101000000_ship failed and changed nothing: .*no_such_thing/);
    await expect(query(`SELECT to_regclass('"Ship"') AS ship, to_regclass('_prisma_migrations') AS record`)).resolves.toEqual([
      { ship: null, record: null },
    ]);
    write('20260101000000_ship', SHIP);
    await expect(apply()).resolves.toEqual(['20260101000000_ship']);
  });

  test('one whose session dies in the middle is applied by the next start', async () => {
    write('20260101000000_ship', `${SHIP} SELECT pg_sleep(30);`);
    const killed = expect(apply()).rejects.toBeInstanceOf(MigrationError);
    const running = "FROM pg_stat_activity WHERE application_name = 'pilothouse migrations' AND wait_event = 'PgSleep'";
    await expect.poll(() => query(`SELECT 1 ${running}`)).toHaveLength(1);
    await query(`SELECT pg_terminate_backend(pid) ${running}`);
    await killed;
    write('20260101000000_ship', SHIP);
    await expect(apply()).resolves.toEqual(['20260101000000_ship']);
  });

  test('one that was edited after it was applied is refused by name', async () => {
    write('20260101000000_ship', SHIP);
    await apply();
    write('20260101000000_ship', `${SHIP} -- edited`);
    await expect(apply()).rejects.toThrow(/20260101000000_ship was changed/);
  });

  test("a database with somebody else's tables is refused", async () => {
    await query('CREATE TABLE theirs (id int)');
    write('20260101000000_ship', SHIP);
    await expect(apply()).rejects.toThrow(/theirs/);
  });

  test('one from a newer version is left alone', async () => {
    write('20260101000000_ship', SHIP);
    write('20260102000000_newer', UNIQUE);
    await apply();
    rmSync(path.join(directory, '20260102000000_newer'), { recursive: true });
    await expect(apply()).resolves.toEqual([]);
  });
});

describe('a new migration', () => {
  test('holds what schema.prisma says beyond the existing ones, and closes the gap', async () => {
    write('20260101000000_ship', SHIP + TRICKY);
    const file = await newMigration(database.url, sources(), 'ship_name', new Date('2026-01-02T03:04:05Z'));
    expect(file).toBe(path.join(directory, '20260102030405_ship_name', 'migration.sql'));
    await expect(apply()).resolves.toHaveLength(2);
    await expect(query(`SELECT to_regclass('"Ship_name_key"')::text AS index`)).resolves.toEqual([{ index: '"Ship_name_key"' }]);
    await expect(migrationsToSchema(database.url, sources())).resolves.toBeNull();
    await expect(newMigration(database.url, sources(), 'again', new Date(0))).resolves.toBeNull();
    await expect(query("SELECT 1 FROM pg_database WHERE datname LIKE 'pilothouse_shadow_%'")).resolves.toEqual([]);
  });
});
