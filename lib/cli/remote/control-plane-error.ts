import { CliError } from '../cli-error';
import { EXIT } from '../exit-code';

/**
 * `refused`: it understood, and says no. `away`: nothing answers, or it cannot do its
 * work now; the same again may succeed. `strange`: what answers is no control plane.
 */
export type ControlPlaneFailure =
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'away' }
  | { readonly kind: 'strange' };

/** Why a control plane did not do what it was asked. */
export class ControlPlaneError extends CliError {
  constructor(
    readonly failure: ControlPlaneFailure,
    message: string,
    hint?: string,
  ) {
    super(message, exitCodeOf(failure), hint);
  }
}

/** Conflicts and what is not there are an answer (1), as for local verbs; the rest of the refusals is a wrong call. */
const ANSWERS: ReadonlySet<number> = new Set([403, 404, 409]);

function exitCodeOf(failure: ControlPlaneFailure): number {
  if (failure.kind !== 'refused') return EXIT.unavailable;
  return ANSWERS.has(failure.status) ? EXIT.refused : EXIT.usage;
}

export const isRefusal = (error: unknown, code?: string): boolean =>
  error instanceof ControlPlaneError && error.failure.kind === 'refused' && (code === undefined || error.failure.code === code);

/** A request that starts something: when it is refused nothing was started, and the call was wrong (64). */
export async function asWrongCall<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ControlPlaneError && isRefusal(error)) throw new CliError(error.message, EXIT.usage, error.hint);
    throw error;
  }
}
