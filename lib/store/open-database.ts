import type { Configuration } from '@/lib/config/environment';
import { joinEmbeddedDatabase } from './embedded/join';
import { applyMigrations } from './migrate/apply-migrations';
import { probeDatabase } from './probe-database';

export interface OpenDatabase {
  readonly url: string;
  /** Ends the use: the last user of an embedded database stops its server. Close your own connections first. */
  close(): Promise<void>;
}

/**
 * The database that the configuration means, running and migrated.
 * @throws DatabaseUnavailableError (MigrationError among them) with a message for a person.
 */
export async function openDatabase(configuration: Pick<Configuration, 'database' | 'dataDirectory'>): Promise<OpenDatabase> {
  const database = await reachDatabase(configuration);
  try {
    await applyMigrations(database.url);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The same, its migrations left as they are: for the commands that look at these. */
export async function reachDatabase(configuration: Pick<Configuration, 'database' | 'dataDirectory'>): Promise<OpenDatabase> {
  switch (configuration.database.kind) {
    case 'embedded': {
      const { url, leave } = await joinEmbeddedDatabase(configuration);
      return { url, close: leave };
    }
    case 'external': {
      const { url } = configuration.database;
      await probeDatabase(url);
      return { url, close: async () => undefined };
    }
  }
}
