/**
 * What a number on the command line may be. The parsers are commander's: a bad value
 * becomes one line that names the option, what was given and what would be valid.
 */
import { InvalidArgumentError } from 'commander';

/** Plain decimals only: `1e99`, `0x10`, `NaN` and `1_000` are somebody's mistake. */
const DECIMAL = /^\d{1,16}(\.\d{1,12})?$/;

export function wholeNumber(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`);
}

const MOST_SECONDS = 1_000_000_000;

export function seconds(text: string): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= MOST_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, at most ${MOST_SECONDS}.`);
}

const MOST_USD = 1_000_000_000;

/** USD on the command line, integer micro-USD inside. */
export function microUsd(text: string): number {
  const value = DECIMAL.test(text) ? Math.round(Number(text) * 1e6) : Number.NaN;
  if (value >= 1 && value <= MOST_USD * 1e6) return value;
  throw new InvalidArgumentError(`It must be an amount in USD from 0.000001 to ${MOST_USD}, such as 0.50.`);
}

const MOST_LISTED = 200;

export function listLength(text: string): number {
  const value = wholeNumber(text);
  if (value <= MOST_LISTED) return value;
  throw new InvalidArgumentError(`It must be at most ${MOST_LISTED}.`);
}

export function httpUrl(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It must begin with http:// or https://.');
}

/** A command id is the caller's own word for one intent: printable, not long. */
export function commandId(text: string): string {
  if (/^[\x21-\x7E]{1,200}$/.test(text)) return text;
  throw new InvalidArgumentError('It must have 1 to 200 visible ASCII characters without spaces.');
}
