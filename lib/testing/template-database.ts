import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import { z } from 'zod';
import { applyMigrations } from '@/lib/store/migrate/apply-migrations';
import { migrationsDirectory, readMigrations } from '@/lib/store/migrate/read-migrations';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database, ending sessions that are still open. */
  drop(): Promise<void>;
}

/** Held while a template is made: other test processes wait and then find it. */
const TEMPLATE_LOCK = 5_804_711_234;

/**
 * A database of its own with all migrations applied: a copy of a template that is
 * made once for each state of prisma/migrations, which takes about 30 ms. Use one a
 * test file:
 *
 *     const database = await createTestDatabase();
 *     afterAll(() => database.drop());
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  const template = await templateDatabase(server);
  return createFrom(server, template);
}

/** A database of its own without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom(await serverUrl(), 'template0');
}

/** Gives `work` a migrated database that is gone afterwards, whatever happens. */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  try {
    return await work(database.url);
  } finally {
    await database.drop();
  }
}

async function createFrom(server: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, (client) => client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
  return {
    url: onDatabase(server, name),
    drop: async () => {
      await administer(server, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    },
  };
}

async function templateDatabase(server: string): Promise<string> {
  const name = await templateName();
  await administer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (existing.rowCount === 1) return;
    // Renamed when it is complete: a template that a killed run left half made is never used.
    const partial = `${name}_partial`;
    await client.query(`DROP DATABASE IF EXISTS "${partial}" WITH (FORCE)`);
    await client.query(`CREATE DATABASE "${partial}" TEMPLATE template0`);
    await applyMigrations(onDatabase(server, partial));
    await client.query(`ALTER DATABASE "${partial}" RENAME TO "${name}"`);
  });
  return name;
}

async function templateName(): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, checksum } of await readMigrations(migrationsDirectory())) hash.update(`${name} ${checksum}\n`);
  return `pilothouse_template_${hash.digest('hex').slice(0, 16)}`;
}

const Answer = z.union([z.object({ url: z.string() }), z.object({ error: z.string() })]);

async function serverUrl(): Promise<string> {
  const answer = Answer.parse(JSON.parse(await text(connect(inject('postgresSocket')))));
  if ('error' in answer) throw new Error(`no PostgreSQL for this test run: ${answer.error}`);
  return answer.url;
}

async function administer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: onDatabase(server, 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function onDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
