/** Blockers (domain.md §6): reported by the agent, never inferred by the runtime. */
import { z } from 'zod';

export const BLOCKER_KINDS = [
  'user_decision',
  'missing_authority',
  'external_state',
  'environment_contradiction',
  'unverifiable_requirement',
] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];

export const blockerReportSchema = z.object({
  kind: z.enum(BLOCKER_KINDS),
  summary: z.string().trim().min(1).max(2_000),
  evidence: z
    .array(
      z.object({
        kind: z.enum(['test', 'file', 'command', 'observation', 'external']),
        summary: z.string().min(1).max(2_000),
        target: z.string().max(1_000).optional(),
      }),
    )
    .max(32)
    .default([]),
  question: z.string().trim().min(1).max(2_000).optional(),
  choices: z.array(z.string().min(1).max(500)).max(20).optional(),
});
export type BlockerReport = z.infer<typeof blockerReportSchema>;
