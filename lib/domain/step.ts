/** Plan items and step evidence (domain.md §8): pure shapes. */
import { z } from 'zod';
import type { JsonValue } from './json';

export const PLAN_STATUSES = ['pending', 'in_progress', 'completed', 'dropped'] as const;
export const planItemSchema = z.object({
  text: z.string().min(1).max(500),
  status: z.enum(PLAN_STATUSES),
});
export type PlanItem = z.infer<typeof planItemSchema>;

/** An item that is neither done nor dropped is open: a soft objection to a delivery. */
export const isOpenItem = (item: PlanItem): boolean => item.status === 'pending' || item.status === 'in_progress';

/** Evidence as the agent gave it; what the step requires of it is checked by the domain. */
export type StepEvidence = Readonly<Record<string, JsonValue>>;
