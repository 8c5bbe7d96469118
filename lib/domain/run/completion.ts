/** The object of `session.completed` (contract.md §4): how a turn came to rest. */
import { z } from 'zod';
import { objectionSchema } from '../delivery';
import { RUN_STATUSES } from './status';
import { terminalPayloads } from './terminal';

const count = z.number().int().nonnegative();

export const VERIFICATION_STATES = ['passed', 'failed', 'not_run', 'not_configured'] as const;
export const DONE_STATES = ['yes', 'no', 'unknown'] as const;

export const completionSchema = z.object({
  status: z.enum(RUN_STATUSES),
  exit_code: z.number().int(),
  writes_applied: z.boolean(),
  writes_unknown: count,
  effects: z.object({ commands: count, external: count }),
  done: z.object({ work: z.enum(DONE_STATES), verified: z.enum(VERIFICATION_STATES), delivered: z.enum(['yes', 'no']) }),
  objections: z.array(objectionSchema),
  verification: z.object({
    state: z.enum(VERIFICATION_STATES),
    reason: z.string().optional(),
    command: z.string().optional(),
    exit_code: z.number().int().optional(),
  }),
  /** Absent where the history was not kept, so that nobody tries to resume it. */
  session_id: z.string().optional(),
  turn_id: z.string(),
  generation: z.number().int().positive(),
  final_text: z.string().nullable(),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cached_tokens: count,
    reasoning_tokens: count,
    total_tokens: count,
    cost_micro_usd: count,
    cost_usd: z.number(),
    unpriced_requests: count,
    unknown_requests: count,
  }),
  tool_calls: z.object({ completed: count, failed: count, denied: count, unknown: count, withdrawn: count }),
  terminal: z.object(terminalPayloads).partial(),
});
export type Completion = z.infer<typeof completionSchema>;
