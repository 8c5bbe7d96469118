/**
 * Prices of models, in USD per million tokens: uncached input, cached input, output.
 *
 * The built-in table is a convenience with a date. It holds list prices; where a
 * provider has several (time of day, length of the context), the one that cannot
 * understate a bill of ordinary length, since budgets are kept with it.
 * PILOTHOUSE_PRICES names a JSON file that adds to it and goes before it:
 *
 *     { "my-model": { "input": 0.5, "cached_input": 0.05, "output": 2 } }
 *
 * `cached_input` may be left out where the provider gives no discount.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigurationError } from '@/lib/config/configuration-error';
import type { ModelPrice } from '@/lib/domain/usage';

/** Read from the providers' public price pages: openai.com/api/pricing, api-docs.deepseek.com/quick_start/pricing. */
export const PRICES_AS_OF = '2026-09';

const BUILT_IN: Readonly<Record<string, ModelPrice>> = {
  'gpt-5.5': { input: 5, cachedInput: 0.5, output: 30 },
  'gpt-5.4': { input: 2.5, cachedInput: 0.25, output: 15 },
  'gpt-5.2': { input: 1.75, cachedInput: 0.175, output: 14 },
  'gpt-5.1': { input: 1.25, cachedInput: 0.125, output: 10 },
  'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
  'gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
  o3: { input: 2, cachedInput: 0.5, output: 8 },
  'o4-mini': { input: 1.1, cachedInput: 0.275, output: 4.4 },
  // Peak rates; half of it in the other hours.
  'deepseek-v4-pro': { input: 1.32, cachedInput: 0.044, output: 3.96 },
  'deepseek-v4-flash': { input: 0.44, cachedInput: 0.014, output: 1.32 },
  'deepseek-chat': { input: 0.28, cachedInput: 0.028, output: 0.42 },
  'deepseek-reasoner': { input: 0.28, cachedInput: 0.028, output: 0.42 },
};

/** Prices that go before the built-in ones. */
export type PriceTable = ReadonlyMap<string, ModelPrice>;

/**
 * The price of a model, or null: not known, which is not free. Only exact names
 * count, since `-mini`, `-pro` or another host's prefix is another price.
 */
export function priceOf(model: string, table: PriceTable = new Map()): ModelPrice | null {
  return table.get(model) ?? (Object.hasOwn(BUILT_IN, model) ? (BUILT_IN[model] ?? null) : null);
}

export interface ListedPrice {
  readonly model: string;
  readonly price: ModelPrice;
  /** From PILOTHOUSE_PRICES, not from the built-in table. */
  readonly own: boolean;
}

/** Every price that is known, as `priceOf` would give it, by name. */
export function listPrices(table: PriceTable = new Map()): readonly ListedPrice[] {
  const own = [...table].map(([model, price]): ListedPrice => ({ model, price, own: true }));
  const builtIn = Object.entries(BUILT_IN).filter(([model]) => !table.has(model)).map(([model, price]): ListedPrice => ({ model, price, own: false }));
  return [...own, ...builtIn].sort((a, b) => (a.model < b.model ? -1 : 1));
}

const UsdPerMillion = z.number().min(0).max(1_000_000);
const PriceFile = z.record(
  z.string().min(1),
  z.strictObject({ input: UsdPerMillion, cached_input: UsdPerMillion.optional(), output: UsdPerMillion }),
);

/** @throws ConfigurationError when the file cannot be read or says something else than prices. */
export function loadPrices(file: string): PriceTable {
  const prices = PriceFile.safeParse(readJson(file));
  if (!prices.success) {
    const issue = prices.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join(' → ');
    throw new ConfigurationError('PILOTHOUSE_PRICES', `names ${file}, in which ${where} is not valid: ${issue?.message ?? 'wrong form'}`);
  }
  return new Map(
    Object.entries(prices.data).map(([model, price]) => [
      model,
      { input: price.input, cachedInput: price.cached_input ?? price.input, output: price.output },
    ]),
  );
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError('PILOTHOUSE_PRICES', `names ${file}, which cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ConfigurationError('PILOTHOUSE_PRICES', `names ${file}, which is not JSON`);
  }
}
