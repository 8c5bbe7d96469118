import { z } from 'zod';
import type { ProjectId } from '@/lib/domain/id';
import type { UsageTotals } from '@/lib/domain/usage';
import { integer } from './columns';
import type { Sql } from './sql';

export interface PeriodUsage extends UsageTotals {
  readonly requests: number;
}

/** Over the ledger, by its index on (project, time): what one period holds is read, nothing before it. */
const SUM = `
SELECT count(*) AS requests,
       coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
       coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
       coalesce(sum(cached_tokens), 0)::bigint AS cached_tokens,
       coalesce(sum(reasoning_tokens), 0)::bigint AS reasoning_tokens,
       coalesce(sum(cost_micro_usd), 0)::bigint AS cost_micro_usd,
       count(*) FILTER (WHERE state <> 'unknown' AND cost_micro_usd IS NULL) AS unpriced_requests,
       count(*) FILTER (WHERE state = 'unknown') AS unknown_requests
  FROM usage_entry WHERE project_id = $1 AND created_at >= date_trunc('day', now(), 'UTC')`;

const row = z
  .object({
    requests: integer,
    input_tokens: integer,
    output_tokens: integer,
    cached_tokens: integer,
    reasoning_tokens: integer,
    cost_micro_usd: integer,
    unpriced_requests: integer,
    unknown_requests: integer,
  })
  .transform(
    (found): PeriodUsage => ({
      requests: found.requests,
      inputTokens: found.input_tokens,
      outputTokens: found.output_tokens,
      cachedTokens: found.cached_tokens,
      reasoningTokens: found.reasoning_tokens,
      totalTokens: found.input_tokens + found.output_tokens,
      costMicroUsd: found.cost_micro_usd,
      unpricedRequests: found.unpriced_requests,
      unknownRequests: found.unknown_requests,
    }),
  );

/** What a project has used since midnight (UTC), by the database's clock. */
export async function dayUsage(sql: Sql, projectId: ProjectId): Promise<PeriodUsage> {
  const [found] = await sql.rows(row, SUM, projectId);
  if (found === undefined) throw new Error('an aggregate returned no row');
  return found;
}
