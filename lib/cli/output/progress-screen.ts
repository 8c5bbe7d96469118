/**
 * The stderr of a run that a person watches. On a terminal the present activity
 * stands on a last line that is overwritten, and the model's text appears as it
 * comes; elsewhere there are only whole lines, as a CI log needs them.
 */
import { paintFor, type Paint } from './paint';
import type { ProgressLine } from './progress';
import { harmless, oneLine } from './terminal-text';
import type { TextOutput } from './text-output';

const CLEAR_LINE = '\r\u001B[2K';

export class ProgressScreen {
  readonly #paint: Paint;
  #activityShown = false;
  #midLine = false;

  constructor(
    private readonly err: TextOutput,
    coloured: boolean,
  ) {
    this.#paint = paintFor(coloured);
  }

  lines(lines: readonly ProgressLine[]): void {
    if (lines.length === 0) return;
    this.#beginLine();
    this.err.write(lines.map((line) => `${this.#paint(line)}\n`).join(''));
  }

  /** Shown until something else is; null: nothing is going on. */
  activity(text: string | null): void {
    if (!this.err.isTerminal || this.#midLine) return;
    this.#clearActivity();
    if (text === null) return;
    this.err.write(this.#paint({ tone: 'dim', text: `▸ ${oneLine(text, Math.max(10, this.err.columns - 4))}` }));
    this.#activityShown = true;
  }

  /** A piece of the model's text, on a terminal. */
  stream(text: string): void {
    const shown = harmless(text);
    if (!this.err.isTerminal || shown === '') return;
    this.#clearActivity();
    this.err.write(shown);
    this.#midLine = !shown.endsWith('\n');
  }

  /** Leaves the screen at the beginning of a line. */
  finish(): void {
    this.#beginLine();
  }

  #beginLine(): void {
    this.#clearActivity();
    if (this.#midLine) this.err.write('\n');
    this.#midLine = false;
  }

  #clearActivity(): void {
    if (this.#activityShown) this.err.write(CLEAR_LINE);
    this.#activityShown = false;
  }
}
