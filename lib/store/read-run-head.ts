import { z } from 'zod';
import type { CallId, RequestId, RunId } from '@/lib/domain/id';
import { eventPayloads, REQUEST_PURPOSES, type EventPayload, type RequestPurpose } from '@/lib/domain/run/event';
import type { CallTally } from '@/lib/domain/run/state';
import { RUN_COMMAND } from '@/lib/domain/tool-name';
import { CALL_EFFECTS, CALL_STATUSES, type CallEffect, type CallStatus } from '@/lib/domain/tool-call';
import type { UsageTotals } from '@/lib/domain/usage';
import { id, integer } from './columns';
import { RUN_COLUMNS, runRow, type RunRef, type RunRow } from './read-run';
import type { Sql } from './sql';

/** What a run's rows say of it besides its own row: enough to go on folding from `row.lastSeq`. */
export interface RunHead {
  readonly row: RunRow;
  readonly firstSeq: number;
  readonly first: EventPayload<'run.queued'>;
  readonly plan: EventPayload<'plan.updated'> | null;
  readonly delivery: EventPayload<'delivery.recorded'> | null;
  readonly verification:
    | { readonly type: 'verification.started'; readonly payload: EventPayload<'verification.started'> }
    | { readonly type: 'verification.completed'; readonly payload: EventPayload<'verification.completed'> }
    | null;
  readonly openRequest: { readonly requestId: RequestId; readonly purpose: RequestPurpose; readonly model: string } | null;
  readonly responded: number;
  readonly settled: number;
  readonly openCalls: readonly OpenCallRow[];
  readonly unknownCalls: readonly { readonly callId: CallId; readonly effect: CallEffect }[];
  readonly tally: CallTally;
  readonly edits: { readonly attempted: number; readonly succeeded: number; readonly unknown: number };
  readonly effects: { readonly commands: number; readonly external: number };
  readonly usage: UsageTotals;
}

export interface OpenCallRow {
  readonly callId: CallId;
  readonly requestId: RequestId;
  readonly providerCallId: string;
  readonly name: string;
  readonly effect: CallEffect;
  readonly countsAsWrite: boolean;
  readonly status: CallStatus;
}

/**
 * One statement, so that everything is of the same moment as the row's `last_seq`:
 * what is folded on top of it counts nothing twice. Each part goes by an index of the
 * run; the log itself is never read through.
 */
const READ = `
SELECT ${RUN_COLUMNS}, q.seq AS first_seq, q.payload AS first, p.payload AS plan, d.payload AS delivery,
       v.type AS verification_type, v.payload AS verification, o.open_request, m.responded, m.settled,
       c.open_calls, n.unknown_calls, t.*, u.*
  FROM run r
 CROSS JOIN LATERAL (
   SELECT seq, payload FROM run_event WHERE run_id = r.id AND type = 'run.queued' AND seq <= 8 ORDER BY seq LIMIT 1) q
  LEFT JOIN LATERAL (
   SELECT payload FROM run_event WHERE run_id = r.id AND type = 'plan.updated' ORDER BY seq DESC LIMIT 1) p ON true
  LEFT JOIN LATERAL (
   SELECT payload FROM run_event WHERE run_id = r.id AND type = 'delivery.recorded' ORDER BY seq DESC LIMIT 1) d ON true
  LEFT JOIN LATERAL (
   SELECT type, payload FROM run_event
    WHERE run_id = r.id AND type IN ('verification.started', 'verification.completed') ORDER BY seq DESC LIMIT 1) v ON true
 CROSS JOIN LATERAL (
   SELECT count(*) FILTER (WHERE status = 'responded') AS responded,
          count(*) FILTER (WHERE status = 'responded' OR (status = 'failed' AND class <> 'aborted')) AS settled
     FROM model_request WHERE run_id = r.id) m
  LEFT JOIN LATERAL (
   SELECT jsonb_build_object('requestId', id, 'purpose', purpose, 'model', model) AS open_request
     FROM model_request WHERE run_id = r.id AND status = 'open' LIMIT 1) o ON true
 CROSS JOIN LATERAL (
   SELECT coalesce(jsonb_agg(jsonb_build_object('callId', id, 'requestId', request_id, 'providerCallId', provider_call_id,
            'name', name, 'effect', effect, 'countsAsWrite', counts_as_write, 'status', status) ORDER BY created_at, id), '[]') AS open_calls
     FROM tool_call WHERE run_id = r.id AND status IN ('proposed', 'waiting_for_approval', 'ready', 'running')) c
 CROSS JOIN LATERAL (
   SELECT coalesce(jsonb_agg(jsonb_build_object('callId', id, 'effect', effect) ORDER BY created_at, id), '[]') AS unknown_calls
     FROM tool_call WHERE run_id = r.id AND status = 'unknown') n
 CROSS JOIN LATERAL (
   SELECT count(*) FILTER (WHERE status = 'completed') AS completed,
          count(*) FILTER (WHERE status = 'failed') AS failed,
          count(*) FILTER (WHERE status = 'denied') AS denied,
          count(*) FILTER (WHERE status = 'unknown') AS unknown,
          count(*) FILTER (WHERE status = 'withdrawn') AS withdrawn,
          count(*) FILTER (WHERE counts_as_write AND status IN ('completed', 'failed', 'denied', 'unknown')) AS edits_attempted,
          count(*) FILTER (WHERE counts_as_write AND status = 'completed') AS edits_succeeded,
          count(*) FILTER (WHERE counts_as_write AND status = 'unknown') AS edits_unknown,
          count(*) FILTER (WHERE effect = 'external' AND started_at IS NOT NULL AND name = '${RUN_COMMAND}') AS commands,
          count(*) FILTER (WHERE effect = 'external' AND started_at IS NOT NULL AND name <> '${RUN_COMMAND}') AS external
     FROM tool_call WHERE run_id = r.id) t
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
          coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
          coalesce(sum(cached_tokens), 0)::bigint AS cached_tokens,
          coalesce(sum(reasoning_tokens), 0)::bigint AS reasoning_tokens,
          coalesce(sum(cost_micro_usd), 0)::bigint AS cost_micro_usd,
          count(*) FILTER (WHERE state <> 'unknown' AND cost_micro_usd IS NULL) AS unpriced_requests,
          count(*) FILTER (WHERE state = 'unknown') AS unknown_requests
     FROM usage_entry WHERE run_id = r.id) u
 WHERE r.project_id = $1 AND r.id = $2`;

const facts = z.object({
  first_seq: integer,
  first: eventPayloads['run.queued'],
  plan: eventPayloads['plan.updated'].nullable(),
  delivery: eventPayloads['delivery.recorded'].nullable(),
  verification_type: z.enum(['verification.started', 'verification.completed']).nullable(),
  verification: z.unknown(),
  open_request: z.object({ requestId: id<RequestId>(), purpose: z.enum(REQUEST_PURPOSES), model: z.string() }).nullable(),
  responded: integer,
  settled: integer,
  open_calls: z.array(
    z.object({
      callId: id<CallId>(),
      requestId: id<RequestId>(),
      providerCallId: z.string(),
      name: z.string(),
      effect: z.enum(CALL_EFFECTS),
      countsAsWrite: z.boolean(),
      status: z.enum(CALL_STATUSES),
    }),
  ),
  unknown_calls: z.array(z.object({ callId: id<CallId>(), effect: z.enum(CALL_EFFECTS) })),
  completed: integer,
  failed: integer,
  denied: integer,
  unknown: integer,
  withdrawn: integer,
  edits_attempted: integer,
  edits_succeeded: integer,
  edits_unknown: integer,
  commands: integer,
  external: integer,
  input_tokens: integer,
  output_tokens: integer,
  cached_tokens: integer,
  reasoning_tokens: integer,
  cost_micro_usd: integer,
  unpriced_requests: integer,
  unknown_requests: integer,
});

const headRow = z.unknown().transform((row): RunHead => {
  const fact = facts.parse(row);
  return {
    row: runRow.parse(row),
    firstSeq: fact.first_seq,
    first: fact.first,
    plan: fact.plan,
    delivery: fact.delivery,
    verification: verificationOf(fact.verification_type, fact.verification),
    openRequest: fact.open_request,
    responded: fact.responded,
    settled: fact.settled,
    openCalls: fact.open_calls,
    unknownCalls: fact.unknown_calls,
    tally: { completed: fact.completed, failed: fact.failed, denied: fact.denied, unknown: fact.unknown, withdrawn: fact.withdrawn },
    edits: { attempted: fact.edits_attempted, succeeded: fact.edits_succeeded, unknown: fact.edits_unknown },
    effects: { commands: fact.commands, external: fact.external },
    usage: {
      inputTokens: fact.input_tokens,
      outputTokens: fact.output_tokens,
      cachedTokens: fact.cached_tokens,
      reasoningTokens: fact.reasoning_tokens,
      totalTokens: fact.input_tokens + fact.output_tokens,
      costMicroUsd: fact.cost_micro_usd,
      unpricedRequests: fact.unpriced_requests,
      unknownRequests: fact.unknown_requests,
    },
  };
});

function verificationOf(type: 'verification.started' | 'verification.completed' | null, payload: unknown): RunHead['verification'] {
  if (type === null) return null;
  return type === 'verification.started'
    ? { type, payload: eventPayloads['verification.started'].parse(payload) }
    : { type, payload: eventPayloads['verification.completed'].parse(payload) };
}

/** Null where the project has no such run. */
export async function readRunHead(sql: Sql, { projectId, runId }: RunRef & { readonly runId: RunId }): Promise<RunHead | null> {
  return (await sql.rows(headRow, READ, projectId, runId))[0] ?? null;
}
