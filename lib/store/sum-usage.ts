import { z } from 'zod';
import type { ProjectId } from '@/lib/domain/id';
import { integer } from './columns';
import type { Sql } from './sql';

export const USAGE_GROUPS = ['day', 'model', 'user', 'session', 'run'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageSum {
  readonly key: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly costMicroUsd: number;
  /** Known, but of a model without a price. */
  readonly unpricedRequests: number;
  readonly unknownRequests: number;
}

const KEYS: Readonly<Record<UsageGroup, string>> = {
  day: "to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  model: 'e.model',
  user: 'r.created_by',
  session: 'e.session_id',
  run: 'e.run_id',
};

/** Sums over the one ledger; what is unknown is counted apart and never summed as 0. */
const sumBy = (key: string): string => `
SELECT ${key} AS key, count(*) AS requests,
       coalesce(sum(e.input_tokens), 0)::bigint AS input_tokens, coalesce(sum(e.output_tokens), 0)::bigint AS output_tokens,
       coalesce(sum(e.cached_tokens), 0)::bigint AS cached_tokens, coalesce(sum(e.reasoning_tokens), 0)::bigint AS reasoning_tokens,
       coalesce(sum(e.cost_micro_usd), 0)::bigint AS cost_micro_usd,
       count(*) FILTER (WHERE e.state <> 'unknown' AND e.cost_micro_usd IS NULL) AS unpriced_requests,
       count(*) FILTER (WHERE e.state = 'unknown') AS unknown_requests
  FROM usage_entry e JOIN run r ON r.id = e.run_id
 WHERE e.project_id = $1 AND e.created_at >= $2 AND e.created_at < $3 AND ($4::text IS NULL OR r.created_by = $4) AND ($5::text IS NULL OR ${key} > $5)
 GROUP BY 1 ORDER BY 1 LIMIT $6`;

const row = z
  .object({
    key: z.string(),
    requests: integer,
    input_tokens: integer,
    output_tokens: integer,
    cached_tokens: integer,
    reasoning_tokens: integer,
    cost_micro_usd: integer,
    unpriced_requests: integer,
    unknown_requests: integer,
  })
  .transform((found): UsageSum => ({
    key: found.key,
    requests: found.requests,
    inputTokens: found.input_tokens,
    outputTokens: found.output_tokens,
    cachedTokens: found.cached_tokens,
    reasoningTokens: found.reasoning_tokens,
    costMicroUsd: found.cost_micro_usd,
    unpricedRequests: found.unpriced_requests,
    unknownRequests: found.unknown_requests,
  }));

export interface UsageRange {
  readonly projectId: ProjectId;
  readonly from: Date;
  readonly to: Date;
  /** Only of runs that this actor submitted. */
  readonly createdBy: string | null;
  readonly afterKey: string | null;
  readonly limit: number;
}

/** In the order of the keys. */
export function sumUsage(sql: Sql, group: UsageGroup, range: UsageRange): Promise<readonly UsageSum[]> {
  return sql.rows(row, sumBy(KEYS[group]), range.projectId, range.from, range.to, range.createdBy, range.afterKey, range.limit);
}
