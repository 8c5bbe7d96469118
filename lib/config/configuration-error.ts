/**
 * A setting that Pilothouse cannot start with. The message is one line that names
 * the variable, what is wrong with it and what would be valid, and it holds no
 * secret value: it is printed as it is.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(
    readonly variable: string,
    problem: string,
  ) {
    super(`${variable} ${problem}`);
  }
}
