/** The migrations do not fit the database. The message says which one and how to go on. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
