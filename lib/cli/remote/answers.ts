/**
 * What the API answers, as far as it is used here. Looked at, not rebuilt: what a newer
 * control plane adds is passed on.
 */
import { z } from 'zod';
import { isId } from '@/lib/domain/id';
import { roleSchema } from '@/lib/domain/role';
import { completionSchema } from '@/lib/domain/run/completion';
import { RUN_STATUSES } from '@/lib/domain/run/status';
import type { RunPage } from '@/lib/queries/list-runs';
import type { RunView } from '@/lib/queries/show-run';

const as = <T>(shape: z.ZodType): z.ZodType<T> => z.custom<T>((value) => shape.safeParse(value).success);

const runShape = z.object({
  id: z.custom((value) => isId('run', value)),
  status: z.enum(RUN_STATUSES),
  task: z.string(),
  workspace: z.string(),
  session_id: z.custom((value) => isId('ses', value)),
  turn_id: z.string(),
  generation: z.number(),
  model: z.string(),
  created_at: z.string(),
  ...completionSchema.pick({
    writes_applied: true,
    writes_unknown: true,
    effects: true,
    done: true,
    objections: true,
    verification: true,
    final_text: true,
    usage: true,
    tool_calls: true,
  }).shape,
  terminal: completionSchema.shape.terminal.optional(),
  exit_code: z.number().int().optional(),
});

export const runAnswer = as<RunView>(runShape);
export const runsAnswer = as<RunPage>(z.object({ items: z.array(runShape), next_cursor: z.string().nullable() }));
export const meAnswer = z.object({ name: z.string().nullable().optional(), project: z.string(), role: roleSchema });
export const readyAnswer = z.object({ status: z.string() });
export const eventsAnswer = z.object({ items: z.array(z.object({ type: z.string(), payload: z.unknown() })) });
