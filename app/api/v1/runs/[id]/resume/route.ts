import { z } from 'zod';
import { resumeRun } from '@/lib/commands/resume-run';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { limitsFor, limitsBodies } from '@/lib/http/limits';
import { showRun } from '@/lib/queries/show-run';

const params = z.object({ id: idOf('run') });
const body = z.strictObject(limitsBodies).default({});

/** The next generation of an open turn. Limits, where given, take the place of the turn's. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ permission: 'member', params, body }, async ({ system, principal: { projectId }, actor, params: { id }, body: asked, commandId }) => {
    const { model } = found(await showRun(system.store, { projectId, runId: id }));
    const limits = limitsFor(system, model, asked);
    const { runId, created } = await resumeRun(system.commands, { projectId, commandId, actor, target: { runId: id }, ...limits, dispatch: { kind: 'worker' } });
    return json(created ? 201 : 200, await showRun(system.store, { projectId, runId }), { location: `/api/v1/runs/${runId}` });
  }),
});
