import { z } from 'zod';
import { StoreError, type StoreErrorCode } from './store-error';

/** Where Prisma keeps what PostgreSQL said; everything else in its errors is for people. */
const prismaError = z.object({
  meta: z.object({
    driverAdapterError: z.object({
      cause: z.object({
        originalCode: z.string(),
        constraint: z.object({ index: z.string() }).optional().catch(undefined),
      }),
    }),
  }),
});

/** By SQLSTATE, longest prefix first. */
const BY_STATE: readonly (readonly [prefix: string, code: StoreErrorCode])[] = [
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['53300', 'unavailable'], // too many connections
  ['57014', 'timeout'], // statement_timeout
  ['55P03', 'timeout'], // lock_timeout, NOWAIT
  ['25P03', 'unavailable'], // idle in transaction: the session was ended
  ['57P', 'unavailable'], // shutting down, crashed, starting up
  ['08', 'unavailable'],
  ['22', 'data'],
  ['23', 'data'],
  ['53', 'storage_full'],
  ['54', 'data'], // program limit exceeded: too large a value, too deep a document
  ['58', 'storage_full'], // input and output errors
];

/**
 * A driver's error by its meaning. What came without a SQLSTATE is a broken or missing
 * connection: measured, a lost acknowledgement and a failure before the commit look the
 * same there, so nothing may be concluded from it about what was under way.
 */
export function classifyError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const parsed = prismaError.safeParse(error);
  if (!parsed.success) return new StoreError('unavailable', null, null, error);
  const { originalCode, constraint } = parsed.data.meta.driverAdapterError.cause;
  const code = BY_STATE.find(([prefix]) => originalCode.startsWith(prefix))?.[1] ?? 'unexpected';
  return new StoreError(code, originalCode, constraint?.index ?? null, error);
}
