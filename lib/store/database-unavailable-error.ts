/**
 * There is no database to work with. The message says which one, what is wrong and
 * how to go on; it holds no password and is printed as it is.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}
