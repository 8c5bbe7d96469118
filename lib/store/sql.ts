import type { z } from 'zod';

export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | readonly string[] | readonly number[];

/**
 * Runs SQL, on its own or within a transaction. Statements are constant texts with
 * `$1 …`: each is prepared once a connection. Rows are parsed, since what a database
 * returns is only as typed as its last migration.
 */
export interface Sql {
  /** @throws StoreError */
  readonly rows: <R>(row: z.ZodType<R>, text: string, ...values: readonly SqlValue[]) => Promise<R[]>;
}
