/**
 * The events of a run's log (contract.md §4): names and payloads are the wire.
 * One schema a type; types are inferred from it. They only grow.
 *
 * Over 150 lines because it is the one list of everything that can happen.
 */
import { z } from 'zod';
import { actorSchema } from '../actor';
import { blockerReportSchema } from '../blocker';
import { PROVIDER_FAILURE_CLASSES } from '../failure';
import type { JsonValue } from '../json';
import { MESSAGE_ORIGINS } from '../message';
import { planItemSchema } from '../step';
import { CALL_EFFECTS } from '../tool-call';
import { completionSchema } from './completion';
import { objectionSchema } from '../delivery';
import { runSettingsSchema } from './settings';
import { WAITING_REASONS } from './status';
import { terminalPayloads } from './terminal';

const json = z.custom<JsonValue>((value) => value !== undefined);
const count = z.number().int().nonnegative();
const call = { call_id: z.string() };
const request = { request_id: z.string() };

export const REQUEST_PURPOSES = ['round', 'recovery', 'compaction'] as const;
export type RequestPurpose = (typeof REQUEST_PURPOSES)[number];

/** Facts of earlier runs that this one goes on from; part of its log, so that the log alone gives its state. */
export const carriedSchema = z.object({
  /** Settled model requests of the task in earlier runs: the scripted model's place. */
  settled_requests: count,
  /** Of earlier generations of this turn; zero in a new turn. */
  edits: z.object({ attempted: count, succeeded: count, unknown: count }),
  approval_refusals: count,
  /** Evidence was accepted, with so many edits attempted by then; null: it was not. */
  step_completed: z.object({ edits_attempted: count }).nullable(),
  changed_paths: z.array(z.string()),
  plan: z.array(planItemSchema),
  tokens: count,
  cost_micro_usd: count,
});
export type Carried = z.infer<typeof carriedSchema>;

export const NOTHING_CARRIED: Carried = {
  settled_requests: 0,
  edits: { attempted: 0, succeeded: 0, unknown: 0 },
  approval_refusals: 0,
  step_completed: null,
  changed_paths: [],
  plan: [],
  tokens: 0,
  cost_micro_usd: 0,
};

export const eventPayloads = {
  'command.accepted': z.object({ command_id: z.string(), kind: z.string(), actor: actorSchema }),
  'run.queued': z.discriminatedUnion('reason', [
    z.object({
      reason: z.enum(['submitted', 'resumed', 'continued']),
      project_id: z.string(),
      session_id: z.string(),
      turn_id: z.string(),
      /** Orders the turns of a session, from 1. */
      turn_number: z.number().int().positive(),
      task_id: z.string(),
      generation: z.number().int().positive(),
      settings: runSettingsSchema,
      carried: carriedSchema,
    }),
    z.object({ reason: z.enum(['released', 'woken']) }),
  ]),
  'run.started': z.object({ generation: z.number().int().positive(), lease_epoch: z.number().int().positive(), worker: z.string() }),
  'message.appended': z.object({
    task_id: z.string(),
    origin: z.enum(MESSAGE_ORIGINS),
    text: z.string(),
    note_ids: z.array(z.string()).optional(),
    /** On the report that answers a plain-text delivery with objections. */
    objections: z.array(objectionSchema).optional(),
  }),
  'model.requested': z.object({
    ...request,
    purpose: z.enum(REQUEST_PURPOSES),
    model: z.string(),
    attempt: z.number().int().positive(),
  }),
  'model.responded': z.object({
    ...request,
    text: z.string().optional(),
    reasoning: z.string().optional(),
    tool_calls: z.array(z.object({ call_id: z.string(), provider_call_id: z.string(), name: z.string(), arguments: z.string() })),
    finish_reason: z.string(),
  }),
  'model.failed': z.object({
    ...request,
    class: z.enum(PROVIDER_FAILURE_CLASSES),
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    text: z.string().optional(),
    http_status: z.number().int().optional(),
    /** As the provider asked, in ms. */
    retry_after_ms: z.number().nonnegative().optional(),
    provider_request_id: z.string().optional(),
  }),
  /** Counts are null exactly where `state` is `unknown`: not known is not nothing. */
  'usage.recorded': z.object({
    ...request,
    model: z.string(),
    input_tokens: count.nullable(),
    output_tokens: count.nullable(),
    cached_tokens: count.nullable(),
    reasoning_tokens: count.nullable(),
    cost_micro_usd: count.nullable(),
    state: z.enum(['known', 'estimated', 'unknown']),
    reason: z.string().optional(),
  }),
  'tool.proposed': z.object({
    ...call,
    ...request,
    task_id: z.string(),
    provider_call_id: z.string(),
    name: z.string(),
    arguments: json,
    effect: z.enum(CALL_EFFECTS),
    counts_as_write: z.boolean(),
  }),
  'tool.decided': z.object({ ...call, decision: z.enum(['allow', 'ask', 'deny']), rule: z.string() }),
  'tool.started': z.object({ ...call, effect: z.enum(CALL_EFFECTS) }),
  'tool.completed': z.object({
    ...call,
    output: z.string(),
    truncated: z.boolean(),
    exit_code: z.number().int().optional(),
    diff: z.string().optional(),
    changed_paths: z.array(z.string()).optional(),
  }),
  'tool.failed': z.object({
    ...call,
    code: z.string(),
    message: z.string(),
    output: z.string().optional(),
    /** `system` where nobody could be asked (I15). */
    actor: actorSchema.optional(),
  }),
  'tool.denied': z.object({ ...call, rule: z.string(), reason: z.string().optional(), actor: actorSchema.optional() }),
  'tool.withdrawn': z.object({ ...call, reason: z.string() }),
  'tool.unknown': z.object({ ...call, reason: z.string(), output: z.string().optional() }),
  'step.refused': z.object({ ...call, reason: z.string() }),
  'step.completed': z.object({ ...call, evidence: json }),
  'step.failed': z.object({ ...call, evidence: json, reason: z.string() }),
  'plan.updated': z.object({ ...call, items: z.array(planItemSchema) }),
  'blocker.reported': blockerReportSchema.extend({ ...call, blocker_id: z.string() }),
  'budget.exhausted': z.object({ limit: z.enum(['tokens', 'cost_micro_usd']), allowed: count, used: count, over_by: count }),
  /** The plain answer was weighed against the record (domain.md §8). */
  'delivery.recorded': z.object({ verdict: z.enum(['accepted', 'unresolved']), text: z.string(), objections: z.array(objectionSchema) }),
  'verification.started': z.object({ command: z.string() }),
  /** `success` is null where the check could not be executed: then `reason` says why. */
  'verification.completed': z.object({
    command: z.string(),
    success: z.boolean().nullable(),
    exit_code: z.number().int().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    reason: z.string().optional(),
  }),
  'run.waiting': z.object({ reason: z.enum(WAITING_REASONS) }),
  'run.cancelling': z.object({ by: actorSchema }),
  'run.succeeded': terminalPayloads.succeeded,
  'run.verification_failed': terminalPayloads.verification_failed,
  'run.blocked': terminalPayloads.blocked,
  'run.paused': terminalPayloads.paused,
  'run.failed': terminalPayloads.failed,
  'run.cancelled': terminalPayloads.cancelled,
  'run.interrupted': terminalPayloads.interrupted,
  'session.completed': completionSchema,
} as const;

export type EventType = keyof typeof eventPayloads;
export type EventPayload<T extends EventType> = z.infer<(typeof eventPayloads)[T]>;

/** What happened, before it has a place in the log. */
export type RunEventBody = { [T in EventType]: { readonly type: T; readonly payload: EventPayload<T> } }[EventType];

/** An event in its place: `seq` rises strictly within a run (I1), `timestamp` is the database's. */
export type RunEvent = RunEventBody & { readonly seq: number; readonly timestamp: string };

export const EVENT_TYPES = Object.keys(eventPayloads) as EventType[];

/** A stored event, checked. Throws a ZodError: a log that does not parse must not be folded. */
export function parseEvent(stored: { seq: number; timestamp: string; type: string; payload: unknown }): RunEvent {
  const type = z.enum(EVENT_TYPES as [EventType, ...EventType[]]).parse(stored.type);
  const payload: unknown = eventPayloads[type].parse(stored.payload);
  return { type, payload, seq: stored.seq, timestamp: stored.timestamp } as RunEvent;
}
