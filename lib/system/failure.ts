/**
 * What an error that reached the edge means. For those who answer over HTTP, which
 * must not know commands and store.
 *
 * By name, not by `instanceof`: a web server may hold a module twice (for its pages
 * and for its routes), and a class of the one is none of the other.
 */
import type { CommandError, CommandErrorCode } from '@/lib/commands/command-error';
import type { DatabaseUnavailableError } from '@/lib/store/database-unavailable-error';
import type { StoreError } from '@/lib/store/store-error';

export type { CommandErrorCode };

export type Failure =
  | { readonly kind: 'command'; readonly code: CommandErrorCode; readonly message: string; readonly current: CommandError['current'] }
  | { readonly kind: 'database_unavailable' }
  | { readonly kind: 'storage_full' }
  /** A person's text for the log: no data, no secret, bounded. */
  | { readonly kind: 'unexpected'; readonly description: string };

export function failureOf(error: unknown): Failure {
  if (isNamed(error, 'CommandError')) {
    return { kind: 'command', code: error.code, message: error.message, current: error.current };
  }
  if (isNamed(error, 'DatabaseUnavailableError') || isNamed(error, 'MigrationError')) return { kind: 'database_unavailable' };
  if (isNamed(error, 'StoreError')) {
    if (error.code === 'unavailable' || error.code === 'conflict' || error.code === 'timeout') return { kind: 'database_unavailable' };
    if (error.code === 'storage_full') return { kind: 'storage_full' };
  }
  return { kind: 'unexpected', description: described(error) };
}

interface ByName {
  readonly CommandError: CommandError;
  readonly DatabaseUnavailableError: DatabaseUnavailableError;
  readonly MigrationError: DatabaseUnavailableError;
  readonly StoreError: StoreError;
}

function isNamed<N extends keyof ByName>(error: unknown, name: N): error is ByName[N] {
  return error instanceof Error && error.name === name;
}

/** A driver's message may hold data and pieces of source; ours, and where it came from, are enough. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const place = error.stack?.split('\n').slice(1, 4).map((line) => line.trim()).join(' | ') ?? '';
  const message = error.name === 'PrismaClientKnownRequestError' ? '' : `: ${error.message.slice(0, 300)}`;
  return `${error.name}${message} ${place}`;
}
