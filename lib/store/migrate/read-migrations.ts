import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { findPackageRoot } from '@/lib/config/package-root';

/** One directory of prisma/migrations. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** As Prisma writes it: hexadecimal SHA-256 of the file's bytes. */
  readonly checksum: string;
}

export function migrationsDirectory(): string {
  return path.join(findPackageRoot(), 'prisma', 'migrations');
}

/** All migrations in the order in which they are applied: that of their names, which begin with a time. */
export async function readMigrations(directory: string = migrationsDirectory()): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(path.join(directory, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}
