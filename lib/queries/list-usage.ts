import { actorOf, type Principal } from '@/lib/auth/principal';
import { includesRole } from '@/lib/domain/role';
import { sumUsage, USAGE_GROUPS, type UsageGroup, type UsageSum } from '@/lib/store/sum-usage';
import type { Sql } from '@/lib/store/sql';

export { USAGE_GROUPS, type UsageGroup } from '@/lib/store/sum-usage';

export interface UsageView {
  readonly key: string;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  readonly total_tokens: number;
  readonly cost_micro_usd: number;
  readonly cost_usd: number;
  readonly unpriced_requests: number;
  readonly unknown_requests: number;
}

export interface UsagePage {
  readonly items: readonly UsageView[];
  readonly next_cursor: string | null;
}

const FIRST_DAY = new Date('2000-01-01T00:00:00Z');
const LAST_DAY = new Date('2200-01-01T00:00:00Z');

/**
 * What was used, by day, model, user, session or run: everybody's for a manager, one's
 * own for the rest.
 * @returns null for a cursor that no page gave.
 */
export async function listUsage(
  sql: Sql,
  principal: Principal,
  request: {
    readonly groupBy: UsageGroup;
    readonly from?: Date | undefined;
    readonly to?: Date | undefined;
    readonly cursor?: string | undefined;
    readonly limit: number;
  },
): Promise<UsagePage | null> {
  const after = request.cursor === undefined ? null : keyOf(request.cursor);
  if (after === undefined || !USAGE_GROUPS.includes(request.groupBy)) return null;
  const sums = await sumUsage(sql, request.groupBy, {
    projectId: principal.projectId,
    from: request.from ?? FIRST_DAY,
    to: request.to ?? LAST_DAY,
    createdBy: includesRole(principal.role, 'manager') ? null : actorOf(principal),
    afterKey: after,
    limit: request.limit + 1,
  });
  const items = sums.slice(0, request.limit);
  const last = items.at(-1);
  const next = sums.length > request.limit && last !== undefined ? Buffer.from(last.key).toString('base64url') : null;
  return { items: items.map(usageView), next_cursor: next };
}

function keyOf(cursor: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,2000}$/.test(cursor)) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  return key.includes('\0') || key.includes('\uFFFD') ? undefined : key;
}

const usageView = (sum: UsageSum): UsageView => ({
  key: sum.key,
  requests: sum.requests,
  input_tokens: sum.inputTokens,
  output_tokens: sum.outputTokens,
  cached_tokens: sum.cachedTokens,
  reasoning_tokens: sum.reasoningTokens,
  total_tokens: sum.inputTokens + sum.outputTokens,
  cost_micro_usd: sum.costMicroUsd,
  cost_usd: sum.costMicroUsd / 1_000_000,
  unpriced_requests: sum.unpricedRequests,
  unknown_requests: sum.unknownRequests,
});
