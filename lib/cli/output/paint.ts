/** Colour for terminals; elsewhere text stays as it is. */
import type { ProgressLine, Tone } from './progress';

export type Paint = (line: ProgressLine) => string;

const CODES: Readonly<Record<Tone, string>> = { plain: '', dim: '2', good: '32', bad: '31', doubt: '33' };

export const paintFor = (coloured: boolean): Paint =>
  coloured ? ({ tone, text }) => (CODES[tone] === '' ? text : `\u001B[${CODES[tone]}m${text}\u001B[0m`) : ({ text }) => text;

/** https://no-color.org: any value that is not empty turns colour off. */
export const wantsColour = (isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean =>
  isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
