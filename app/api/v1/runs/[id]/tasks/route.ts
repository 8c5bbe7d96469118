import { z } from 'zod';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { listTasks } from '@/lib/queries/list-tasks';

const params = z.object({ id: idOf('run') });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params }, async ({ system, principal: { projectId }, params: { id: runId } }) =>
    json(200, { items: found(await listTasks(system.store, { projectId, runId })), next_cursor: null }),
  ),
});
