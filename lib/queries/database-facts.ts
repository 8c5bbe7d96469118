import { z } from 'zod';
import type { Sql } from '@/lib/store/sql';

export interface DatabaseFacts {
  /** Of PostgreSQL: `17.2`. */
  readonly version: string;
  /** Applied ones. */
  readonly migrations: number;
}

const Row = z.object({ version: z.string(), migrations: z.number().int() });

/** What a person asks of a database that answers. */
export async function databaseFacts(sql: Sql): Promise<DatabaseFacts> {
  const rows = await sql.rows(
    Row,
    `SELECT current_setting('server_version') AS version,
            (SELECT count(*)::int FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migrations`,
  );
  return rows[0] ?? { version: 'unknown', migrations: 0 };
}
