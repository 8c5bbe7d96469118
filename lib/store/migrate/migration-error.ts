import { DatabaseUnavailableError } from '../database-unavailable-error';

/**
 * The database is there, but the migrations do not fit it. The message says which
 * one and how to go on. For whoever starts it comes to the same as no database.
 */
export class MigrationError extends DatabaseUnavailableError {
  override readonly name = 'MigrationError';
}
