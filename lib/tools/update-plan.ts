import { z } from 'zod';
import { planItemSchema } from '@/lib/domain/step';
import { accept, defineTool } from './define-tool';

/** States the whole plan anew; nothing else follows from it here. */
export const updatePlan = defineTool({
  name: 'update_plan',
  description: 'States your plan: the complete list of items, each with its status. Replaces the plan stated before.',
  effect: 'none',
  schema: z.strictObject({ items: z.array(planItemSchema.strict()).max(100) }),
  prepare: (args) => accept({}, async () => ({ kind: 'directive', directive: { kind: 'update_plan', items: args.items } })),
});
