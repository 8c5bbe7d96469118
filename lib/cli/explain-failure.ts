/** What a failure means to whoever called: one line, the exit code, how to go on. By class and code, never by text. */
import { CommanderError } from 'commander';
import { CommandError } from '@/lib/commands/command-error';
import { ConfigurationError } from '@/lib/config/configuration-error';
import { CliError } from './cli-error';
import { EXIT } from './exit-code';
import { oneLine } from './output/terminal-text';

export interface Explained {
  readonly exitCode: number;
  /** null: it has been said already. */
  readonly message: string | null;
  readonly hint?: string;
}

const MESSAGE_WIDTH = 2_000;

export function explainFailure(error: unknown, program: string): Explained {
  if (error instanceof CommanderError) return explainCommander(error, program);
  if (error instanceof CliError) {
    return { exitCode: error.exitCode, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
  }
  if (error instanceof CommandError) return { exitCode: EXIT.refused, message: refusal(error) };
  if (error instanceof ConfigurationError) return { exitCode: EXIT.usage, message: error.message };
  if (isLost(error)) return { exitCode: EXIT.unavailable, message: LOST };
  const message = oneLine(error instanceof Error ? error.message : String(error), MESSAGE_WIDTH);
  if (isNotThere(error)) return { exitCode: EXIT.unavailable, message };
  return { exitCode: EXIT.broken, message: `something went wrong that should not: ${message}` };
}

/** The database's own classes stay in its part; their names and codes are what this part knows of them. */
const isNotThere = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'DatabaseUnavailableError' || error.name === 'MigrationError');

/** It was there, and then it was not, or could not keep what it was given. */
const isLost = (error: unknown): boolean =>
  error instanceof Error && error.name === 'StoreError' && 'code' in error && LOST_CODES.has(error.code);

const LOST_CODES: ReadonlySet<unknown> = new Set(['unavailable', 'timeout', 'storage_full']);
const LOST = 'the database cannot be reached or used any more; what it had taken before stands, and a run that was under way is ended by the next call after its lease';

export function refusal(error: CommandError): string {
  const { status } = error.current;
  return `${error.message}${typeof status === 'string' ? ` (it is ${status})` : ''}`;
}

/** Help that was asked for is no failure; everything else that commander throws is a usage error. */
function explainCommander(error: CommanderError, program: string): Explained {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return { exitCode: EXIT.ok, message: null };
  // Without a verb commander has shown the help.
  if (error.code === 'commander.help') return { exitCode: EXIT.usage, message: null };
  const [message = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
  const suggested = suggestions.map((line) => line.replace(/^\((.*)\)$/, '$1')).join(' ').trim();
  return { exitCode: EXIT.usage, message: oneLine(message, MESSAGE_WIDTH), hint: suggested === '' ? `Try: ${program} --help` : oneLine(suggested, MESSAGE_WIDTH) };
}
