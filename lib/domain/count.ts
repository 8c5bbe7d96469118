/**
 * A count of tokens as a provider reports it: a whole number from 0 to 2^53 - 1.
 * Everything else is `undefined`, which means unknown and never 0: a larger
 * number would be stored as another one without an error, and a negative or
 * fractional one would turn a sum into nonsense.
 */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined;
}
