/**
 * - `unavailable`: no connection, or it broke; nothing is known about what was under way.
 * - `conflict`: serialization failure or deadlock, rolled back for certain.
 * - `data`: the database refused a value or a constraint; rolled back for certain.
 * - `storage_full`: disk, quota or memory; rolled back for certain.
 * - `timeout`: cancelled by the server after its bound; rolled back for certain.
 * - `unexpected`: anything else that the server said; rolled back for certain.
 */
export type StoreErrorCode = 'unavailable' | 'conflict' | 'data' | 'storage_full' | 'timeout' | 'unexpected';

/**
 * A failure of the database, by meaning. The driver's error holds pieces of our
 * source and of the data: it is the `cause`, for a debugger, and never part of the
 * message.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  /**
   * By name: a web server holds this module twice, for its pages and for its routes,
   * and both work with the one store of the process.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StoreError';
  }

  constructor(
    readonly code: StoreErrorCode,
    /** SQLSTATE; null where the server said nothing. */
    readonly sqlState: string | null,
    /** Name of the constraint that refused, where one did. */
    readonly constraint: string | null,
    cause: unknown,
  ) {
    super(`database: ${code}${sqlState === null ? '' : ` (${sqlState})`}${constraint === null ? '' : ` ${constraint}`}`, { cause });
  }
}
