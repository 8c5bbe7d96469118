import { z } from 'zod';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { showDiff } from '@/lib/queries/show-diff';

const params = z.object({ id: idOf('run') });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params }, async ({ system, principal: { projectId }, params: { id: runId } }) =>
    json(200, { run_id: runId, ...found(await showDiff(system.store, { projectId, runId })) }),
  ),
});
