/**
 * The delivery rule without a workflow (domain.md §8): a plain-text answer is the
 * delivery when the record has nothing against it. Nothing is read out of prose.
 */
import { z } from 'zod';

/**
 * Hard: `no_edit_succeeded`, `effect_unknown`, `child_not_succeeded`.
 * Soft: `plan_open`, `last_effect_failed`.
 */
export const objectionSchema = z.discriminatedUnion('code', [
  z.object({ severity: z.literal('hard'), code: z.literal('no_edit_succeeded'), attempted: z.number().int() }),
  z.object({ severity: z.literal('hard'), code: z.literal('effect_unknown'), call_ids: z.array(z.string()) }),
  z.object({ severity: z.literal('hard'), code: z.literal('child_not_succeeded'), task_ids: z.array(z.string()) }),
  z.object({ severity: z.literal('soft'), code: z.literal('plan_open'), items: z.array(z.string()) }),
  z.object({
    severity: z.literal('soft'),
    code: z.literal('last_effect_failed'),
    call_id: z.string(),
    name: z.string(),
    outcome: z.enum(['failed', 'denied']),
  }),
]);
export type Objection = z.infer<typeof objectionSchema>;

export const isHard = (objection: Objection): boolean => objection.severity === 'hard';
