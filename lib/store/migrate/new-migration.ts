import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MigrationSources } from './schema-engine';
import { migrationsToSchema } from './schema-engine';

/**
 * Writes the migration that brings the database to what schema.prisma says now, for
 * a person to read, to comment and to complete. Returns its file, or null when
 * nothing has changed.
 */
export async function newMigration(url: string, sources: MigrationSources, name: string, now: Date): Promise<string | null> {
  const sql = await migrationsToSchema(url, sources);
  if (sql === null) return null;
  const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = path.join(sources.directory, `${time}_${name}`);
  await mkdir(directory);
  const file = path.join(directory, 'migration.sql');
  await writeFile(file, sql);
  return file;
}
