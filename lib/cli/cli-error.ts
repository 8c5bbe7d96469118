import { EXIT } from './exit-code';

/**
 * Why a command was not carried out: one line for stderr and the exit code. Thrown
 * anywhere in the command line, printed at one place (main.ts).
 */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.refused,
    /** How to go on; a line of its own. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Nothing was started: a flag, a value or the state of what it names is wrong. */
export const usageError = (message: string, hint?: string): CliError => new CliError(message, EXIT.usage, hint);
