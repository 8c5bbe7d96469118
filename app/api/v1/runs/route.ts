import { z } from 'zod';
import { submitRun } from '@/lib/commands/submit-run';
import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { flag, given, idOf, pageLimit, timestamp } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { acceptSubmission, submissionSchema } from '@/lib/http/submission';
import { RUN_STATUSES } from '@/lib/domain/run/status';
import { listRuns } from '@/lib/queries/list-runs';
import { showRun } from '@/lib/queries/show-run';

const query = z.object({
  status: z.string().transform((value) => value.split(',')).pipe(z.array(z.enum(RUN_STATUSES)).max(RUN_STATUSES.length)).optional(),
  project: idOf('prj').optional(),
  session: idOf('ses').optional(),
  q: z.string().max(200).optional(),
  since: timestamp.optional(),
  children: flag.default(false),
  cursor: z.string().max(500).optional(),
  limit: pageLimit(200, 50),
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', query }, async ({ system, principal: { projectId }, query: { status, project, session, ...rest } }) => {
    if (project !== undefined && project !== projectId) throw new Problem('not_found');
    const page = await listRuns(system.store, { projectId, ...given({ ...rest, statuses: status, sessionId: session }) });
    if (page === null) throw new Problem('invalid_cursor');
    return json(200, page);
  }),

  POST: route({ permission: 'member', body: submissionSchema }, async ({ system, principal, actor, body, commandId }) => {
    const { projectId, role } = principal;
    const accepted = await acceptSubmission(system, body, { role, commandId });
    const { runId, created } = await submitRun(system.commands, { projectId, commandId, actor, ...accepted, dispatch: { kind: 'worker' } });
    const run = await showRun(system.store, { projectId, runId });
    return json(created ? 201 : 200, run, { location: `/api/v1/runs/${runId}` });
  }),
});
