/** What a run was submitted with: fixed at its beginning, part of its log, never widened. */
import { z } from 'zod';

export const POLICIES = ['auto', 'ask', 'read-only'] as const;
export type Policy = (typeof POLICIES)[number];

/** null everywhere means: no such limit. */
export const limitsSchema = z.object({
  rounds: z.number().int().positive().nullable(),
  tool_calls: z.number().int().positive().nullable(),
  wall_seconds: z.number().positive().nullable(),
  tokens: z.number().int().positive().nullable(),
  cost_micro_usd: z.number().int().positive().nullable(),
});
export type Limits = z.infer<typeof limitsSchema>;
export const NO_LIMITS: Limits = { rounds: null, tool_calls: null, wall_seconds: null, tokens: null, cost_micro_usd: null };

export const runSettingsSchema = z.object({
  model: z.string(),
  access: z.enum(['read_write', 'read_only']),
  policy: z.enum(POLICIES),
  /** The caller answers for commands where no sandbox is present. */
  unsandboxed: z.boolean(),
  verifier: z.string().nullable(),
  limits: limitsSchema,
  /** Whether the session's history survives, so that `resume` can go on. */
  resumable: z.boolean(),
});
export type RunSettings = z.infer<typeof runSettingsSchema>;
