import { z } from 'zod';
import { REQUEST_PURPOSES, type RequestPurpose } from '@/lib/domain/run/event';
import { instant, integer } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

/** One attempt at the model and what it used; counts are null where they are not known. */
export interface RequestUsage {
  readonly requestId: string;
  readonly purpose: RequestPurpose;
  readonly model: string;
  readonly attempt: number;
  readonly status: 'open' | 'responded' | 'failed';
  readonly failure: string | null;
  readonly at: string;
  readonly state: 'known' | 'estimated' | 'unknown' | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costMicroUsd: number | null;
}

const READ = `
SELECT m.id, m.purpose, m.model, m.attempt, m.status, m.class, m.created_at, u.state,
       u.input_tokens, u.output_tokens, u.cached_tokens, u.reasoning_tokens, u.cost_micro_usd
  FROM model_request m LEFT JOIN usage_entry u ON u.request_id = m.id
 WHERE m.run_id = $2 AND m.project_id = $1 ORDER BY m.created_at DESC, m.id DESC LIMIT $3`;

const row = z
  .object({
    id: z.string(),
    purpose: z.enum(REQUEST_PURPOSES),
    model: z.string(),
    attempt: integer,
    status: z.enum(['open', 'responded', 'failed']),
    class: z.string().nullable(),
    created_at: instant,
    state: z.enum(['known', 'estimated', 'unknown']).nullable(),
    input_tokens: integer.nullable(),
    output_tokens: integer.nullable(),
    cached_tokens: integer.nullable(),
    reasoning_tokens: integer.nullable(),
    cost_micro_usd: integer.nullable(),
  })
  .transform(
    (found): RequestUsage => ({
      requestId: found.id,
      purpose: found.purpose,
      model: found.model,
      attempt: found.attempt,
      status: found.status,
      failure: found.class,
      at: found.created_at.toISOString(),
      state: found.state,
      inputTokens: found.input_tokens,
      outputTokens: found.output_tokens,
      cachedTokens: found.cached_tokens,
      reasoningTokens: found.reasoning_tokens,
      costMicroUsd: found.cost_micro_usd,
    }),
  );

/** The latest requests of a run, in order, at most `limit`. */
export async function readRequestUsage(sql: Sql, request: RunRef & { readonly limit: number }): Promise<readonly RequestUsage[]> {
  return (await sql.rows(row, READ, request.projectId, request.runId, request.limit)).reverse();
}
