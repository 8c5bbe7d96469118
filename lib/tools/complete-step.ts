import { z } from 'zod';
import { accept, defineTool } from './define-tool';

/** Claims that the current step is done, or cannot be; whether the evidence suffices is the domain's to say. */
export const completeStep = defineTool({
  name: 'complete_step',
  description:
    'Completes the current step with evidence, or reports with success: false and a reason that it cannot be done. Missing or empty evidence is refused.',
  effect: 'none',
  schema: z.strictObject({
    success: z.boolean(),
    evidence: z.record(z.string(), z.json()).default({}).describe('the fields that the step asks for'),
    reason: z.string().trim().min(1).max(2_000).optional(),
  }),
  prepare: ({ success, evidence, reason }) =>
    accept({}, async () => ({
      kind: 'directive',
      directive: { kind: 'complete_step', success, evidence, ...(reason === undefined ? {} : { reason }) },
    })),
});
