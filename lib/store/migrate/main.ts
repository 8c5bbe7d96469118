import { configurationOf } from '@/lib/config/environment';
import { ConfigurationError } from '@/lib/config/configuration-error';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import { reachDatabase } from '../open-database';
import { applyMigrations } from './apply-migrations';
import { newMigration } from './new-migration';
import { diagnose, migrationsToSchema, ownSources } from './schema-engine';

const USAGE = `npm run migrations -- <command>

  status        how far the database is
  apply         bring the database up to date
  new <name>    write the migration from the existing ones to prisma/schema.prisma
  drift         fail when the migrations and prisma/schema.prisma do not agree
`;

type Command = (url: string) => Promise<number>;

const status: Command = async (url) => {
  const found = await diagnose(url, ownSources());
  console.log(JSON.stringify(found, null, 2));
  return found.history === null && found.failedMigrationNames.length === 0 && found.editedMigrationNames.length === 0 ? 0 : 1;
};

const apply: Command = async (url) => {
  const applied = await applyMigrations(url);
  console.log(applied.length === 0 ? 'nothing to apply' : `applied ${applied.join(', ')}`);
  return 0;
};

const drift: Command = async (url) => {
  const sql = await migrationsToSchema(url, ownSources());
  console.log(sql ?? 'the migrations make what prisma/schema.prisma says');
  return sql === null ? 0 : 1;
};

const add =
  (name: string): Command =>
  async (url) => {
    const file = await newMigration(url, ownSources(), name, new Date());
    console.log(file === null ? 'prisma/schema.prisma has not changed' : `written: ${file}`);
    return 0;
  };

/** Null for what is not a command. */
function commandOf([verb, name, ...rest]: readonly string[]): Command | null {
  if (rest.length > 0) return null;
  if (verb === 'new') return name !== undefined && /^[a-z][a-z0-9_]*$/.test(name) ? add(name) : null;
  if (name !== undefined) return null;
  if (verb === 'status') return status;
  if (verb === 'apply') return apply;
  if (verb === 'drift') return drift;
  return null;
}

async function main(words: readonly string[]): Promise<number> {
  const command = commandOf(words);
  if (command === null) {
    process.stderr.write(USAGE);
    return 64;
  }
  try {
    const database = await reachDatabase(configurationOf());
    try {
      return await command(database.url);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError || error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof ConfigurationError ? 64 : 69;
  }
}

process.exitCode = await main(process.argv.slice(2));
