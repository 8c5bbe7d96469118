import { z } from 'zod';
import type { ProjectId, RunId, TurnId } from '@/lib/domain/id';
import type { OtherTotals } from '@/lib/domain/run/input';
import { RUN_COMMAND } from '@/lib/domain/tool-name';
import { id, integer } from './columns';
import type { Sql } from './sql';

/**
 * Sums over the ledger and the calls: there is no second count that could differ.
 * Unknown usage is counted, never summed. `writes_applied` compares the write counts of
 * the tasks that worked in the turn with the turn's baseline (domain.md §7).
 */
const TOTALS = `
SELECT a.turn_id, u.*, c.*, w.*
  FROM unnest($2::text[], $3::text[]) AS a(turn_id, except_run)
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(e.input_tokens), 0)::bigint AS input_tokens,
          coalesce(sum(e.output_tokens), 0)::bigint AS output_tokens,
          coalesce(sum(e.cached_tokens), 0)::bigint AS cached_tokens,
          coalesce(sum(e.reasoning_tokens), 0)::bigint AS reasoning_tokens,
          coalesce(sum(e.cost_micro_usd), 0)::bigint AS cost_micro_usd,
          count(*) FILTER (WHERE e.state <> 'unknown' AND e.cost_micro_usd IS NULL) AS unpriced_requests,
          count(*) FILTER (WHERE e.state = 'unknown') AS unknown_requests
     FROM usage_entry e
    WHERE e.project_id = $1 AND e.turn_id = a.turn_id AND e.run_id <> a.except_run
 ) u
 CROSS JOIN LATERAL (
   SELECT count(*) FILTER (WHERE t.status = 'completed') AS completed,
          count(*) FILTER (WHERE t.status = 'failed') AS failed,
          count(*) FILTER (WHERE t.status = 'denied') AS denied,
          count(*) FILTER (WHERE t.status = 'unknown') AS unknown,
          count(*) FILTER (WHERE t.status = 'withdrawn') AS withdrawn,
          count(*) FILTER (WHERE t.effect = 'external' AND t.started_at IS NOT NULL AND t.name = '${RUN_COMMAND}') AS commands,
          count(*) FILTER (WHERE t.effect = 'external' AND t.started_at IS NOT NULL AND t.name <> '${RUN_COMMAND}') AS external,
          count(*) FILTER (WHERE t.counts_as_write AND t.status = 'unknown') AS writes_unknown
     FROM run r JOIN tool_call t ON t.run_id = r.id
    WHERE r.project_id = $1 AND r.turn_id = a.turn_id AND r.id <> a.except_run
 ) c
 CROSS JOIN LATERAL (
   SELECT EXISTS (
     SELECT 1 FROM turn b
       JOIN task k ON k.id IN (SELECT r.task_id FROM run r WHERE r.turn_id = b.id)
      WHERE b.project_id = $1 AND b.id = a.turn_id
        AND k.write_count > coalesce((b.baseline ->> k.id)::bigint, 0)) AS writes_applied
 ) w`;

const totalsRow = z.object({
  turn_id: id<TurnId>(),
  input_tokens: integer,
  output_tokens: integer,
  cached_tokens: integer,
  reasoning_tokens: integer,
  cost_micro_usd: integer,
  unpriced_requests: integer,
  unknown_requests: integer,
  completed: integer,
  failed: integer,
  denied: integer,
  unknown: integer,
  withdrawn: integer,
  commands: integer,
  external: integer,
  writes_unknown: integer,
  writes_applied: z.boolean(),
});

/** Sums over the runs of a turn: earlier generations and children, without `exceptRunId`. */
export async function turnTotals(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly turnId: TurnId; readonly exceptRunId: RunId | null },
): Promise<OtherTotals> {
  const { projectId, turnId, exceptRunId } = request;
  const [row] = await sql.rows(totalsRow, TOTALS, projectId, [turnId], [exceptRunId ?? '']);
  if (row === undefined) throw new Error('an aggregate returned no row');
  return totals(row);
}

/** Sums over all runs of each of the turns. */
export async function totalsOfTurns(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly turnIds: readonly TurnId[] },
): Promise<ReadonlyMap<TurnId, OtherTotals>> {
  const { projectId, turnIds } = request;
  if (turnIds.length === 0) return new Map();
  const rows = await sql.rows(totalsRow, TOTALS, projectId, turnIds, turnIds.map(() => ''));
  return new Map(rows.map((row) => [row.turn_id, totals(row)]));
}

function totals(row: z.infer<typeof totalsRow>): OtherTotals {
  return {
    usage: {
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      cached_tokens: row.cached_tokens,
      reasoning_tokens: row.reasoning_tokens,
      total_tokens: row.input_tokens + row.output_tokens,
      cost_micro_usd: row.cost_micro_usd,
      cost_usd: row.cost_micro_usd / 1e6,
      unpriced_requests: row.unpriced_requests,
      unknown_requests: row.unknown_requests,
    },
    tool_calls: {
      completed: row.completed,
      failed: row.failed,
      denied: row.denied,
      unknown: row.unknown,
      withdrawn: row.withdrawn,
    },
    effects: { commands: row.commands, external: row.external },
    writes_unknown: row.writes_unknown,
    writes_applied: row.writes_applied,
  };
}
