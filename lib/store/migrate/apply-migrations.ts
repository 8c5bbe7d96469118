import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { MigrationError } from './migration-error';
import type { Migration } from './read-migrations';
import { migrationsDirectory, readMigrations } from './read-migrations';

/** Held, on its session, by whoever applies. The number is ours; Prisma's own lock is another. */
const ADVISORY_LOCK = 5_804_711_233;

/** Prisma's own table, to the letter: `prisma migrate` and the schema engine read it as theirs. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                  VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"            VARCHAR(64) NOT NULL,
    "finished_at"         TIMESTAMPTZ,
    "migration_name"      VARCHAR(255) NOT NULL,
    "logs"                TEXT,
    "rolled_back_at"      TIMESTAMPTZ,
    "started_at"          TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

const RECORD = `
  INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
  VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`;

export interface ApplyOptions {
  /** Another directory of migrations. For tests. */
  readonly directory?: string;
}

/**
 * Brings the database at `url` up to date and returns the names of the migrations
 * that this call applied; usually none, found out by one query.
 *
 * A migration and its record are one transaction, so after a kill at any moment it
 * is wholly applied and recorded, or not at all. Prisma's engine writes the record
 * before and after the script, and after a kill between them refuses every later
 * start until a person resolves it; that is why it is not used here. Of several
 * processes at once one applies while the others wait, then find nothing to do.
 *
 * Migrations in the database that this version does not know are left alone.
 * @throws MigrationError when a migration fails, was edited after it was applied or
 *   was left unfinished by another tool, or when the database is somebody else's.
 */
export async function applyMigrations(url: string, { directory = migrationsDirectory() }: ApplyOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const client = new pg.Client({ connectionString: url, application_name: 'pilothouse migrations' });
  client.on('error', () => undefined); // the running query rejects, which is enough
  await client.connect();
  try {
    if ((await pendingOf(client, migrations)).length === 0) return [];
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const pending = await pendingOf(client, migrations);
    for (const migration of pending) await applyOne(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined); // ending the session frees the lock
  }
}

interface AppliedRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

async function pendingOf(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await readApplied(client);
  const unfinished = rows.find((row) => !row.finished);
  if (unfinished) {
    throw new MigrationError(
      `The migration ${unfinished.migration_name} was begun by another tool and not finished. ` +
        'Look at what it left, then mark it with "prisma migrate resolve".',
    );
  }
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  for (const { name, checksum } of migrations) {
    const applied = checksums.get(name);
    if (applied !== undefined && applied !== checksum) {
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied to this database. ` +
          'Restore the file and put the change into a new migration; or begin with a new database.',
      );
    }
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<{ own: boolean; foreign_table: string | null }>(`
    SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS own,
           (SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LIMIT 1) AS foreign_table`);
  const [database] = rows;
  if (database?.own === true) {
    const applied = await client.query<AppliedRow>(`
      SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
        FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at`);
    return applied.rows;
  }
  if (database?.foreign_table != null) {
    throw new MigrationError(
      `The database already holds tables that are not Pilothouse's (${database.foreign_table}). Give it a database of its own.`,
    );
  }
  return [];
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  const started = new Date();
  try {
    await client.query('BEGIN');
    await client.query(CREATE_TABLE);
    await client.query(migration.sql);
    await client.query(RECORD, [randomUUID(), migration.checksum, migration.name, started]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new MigrationError(`The migration ${migration.name} failed and changed nothing: ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  if (error instanceof pg.DatabaseError) return `${error.message} (${error.code ?? 'no code'})`;
  return error instanceof Error ? error.message : String(error);
}
