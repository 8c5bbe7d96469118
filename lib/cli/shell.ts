/** The process as verbs see it, so that none of them touches `process`. */
import type { Signals } from './signals';
import type { TextOutput } from './output/text-output';

export interface Shell {
  /** Results. */
  readonly out: TextOutput;
  /** Progress, hints, problems. */
  readonly err: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory of the call. */
  readonly here: string;
  /** How this person calls Pilothouse, for the commands that are shown. */
  readonly program: string;
  readonly signals: Signals;
}

export const say = (shell: Shell, text: string): void => shell.err.write(`${text}\n`);
