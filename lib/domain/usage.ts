/**
 * Usage arithmetic (domain.md §11). One entry per model request, whatever its
 * end. `unknown` is not 0: it is counted apart and never summed.
 */

/** Counts as the provider's adapter normalised them: cached is a part of input, reasoning a part of output. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

/**
 * What one request used.
 * - `known`: the provider reported it at the end.
 * - `estimated`: seen before an abort or a cut; a lower bound.
 * - `unknown`: no trustworthy report. Never 0.
 */
export type UsageReport =
  | ({ readonly state: 'known' | 'estimated' } & TokenCounts)
  | { readonly state: 'unknown'; readonly reason: string };

export interface UsageTotals extends TokenCounts {
  readonly totalTokens: number;
  /** Sum of the known costs, in micro-USD; entries without a price are in `unpricedRequests`. */
  readonly costMicroUsd: number;
  readonly unpricedRequests: number;
  readonly unknownRequests: number;
}

export const NO_USAGE: UsageTotals = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
  costMicroUsd: 0,
  unpricedRequests: 0,
  unknownRequests: 0,
};

/** Total tokens are input + output; cached and reasoning are parts, never added. */
export function addUsage(totals: UsageTotals, report: UsageReport, costMicroUsd: number | null): UsageTotals {
  if (report.state === 'unknown') return { ...totals, unknownRequests: totals.unknownRequests + 1 };
  const inputTokens = totals.inputTokens + report.inputTokens;
  const outputTokens = totals.outputTokens + report.outputTokens;
  return {
    inputTokens,
    outputTokens,
    cachedTokens: totals.cachedTokens + report.cachedTokens,
    reasoningTokens: totals.reasoningTokens + report.reasoningTokens,
    totalTokens: inputTokens + outputTokens,
    costMicroUsd: totals.costMicroUsd + (costMicroUsd ?? 0),
    unpricedRequests: totals.unpricedRequests + (costMicroUsd === null ? 1 : 0),
    unknownRequests: totals.unknownRequests,
  };
}

/** Prices of a model in USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** Cost in integer micro-USD, rounded half up once per entry; null when usage or price is not known. */
export function costMicroUsd(report: UsageReport, price: ModelPrice | null): number | null {
  if (report.state === 'unknown' || price === null) return null;
  // A provider that reports more cached than input must not earn money back.
  const uncached = Math.max(0, report.inputTokens - report.cachedTokens);
  // USD per million tokens is micro-USD per token. Scaled to integers first, since 0.05 has no exact binary form.
  const scaled = (usd: number): number => Math.round(usd * 1e6);
  const millionths =
    BigInt(uncached) * BigInt(scaled(price.input)) +
    BigInt(report.cachedTokens) * BigInt(scaled(price.cachedInput)) +
    BigInt(report.outputTokens) * BigInt(scaled(price.output));
  return Number((millionths + 500_000n) / 1_000_000n);
}
