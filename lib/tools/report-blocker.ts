import { blockerReportSchema } from '@/lib/domain/blocker';
import { accept, defineTool } from './define-tool';

/** Reports what the agent cannot get past by itself. */
export const reportBlocker = defineTool({
  name: 'report_blocker',
  description:
    'Reports that you cannot go on without somebody else: what is missing, the evidence for it, and where it helps a question with choices. Ends your work until it is answered.',
  effect: 'none',
  schema: blockerReportSchema.strict(),
  prepare: (report) => accept({}, async () => ({ kind: 'directive', directive: { kind: 'report_blocker', report } })),
});
