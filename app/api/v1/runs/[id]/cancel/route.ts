import { z } from 'zod';
import { cancelRun } from '@/lib/commands/cancel-run';
import { includesRole } from '@/lib/domain/role';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { showRun } from '@/lib/queries/show-run';

const params = z.object({ id: idOf('run') });

/** A member cancels what they submitted, an engineer anything. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ permission: 'member', params }, async ({ system, principal, actor, params: { id: runId }, commandId }) => {
    const { projectId, role } = principal;
    const { created_by: owner } = found(await showRun(system.store, { projectId, runId }));
    if (owner !== actor && !includesRole(role, 'engineer')) {
      throw new Problem('forbidden', { detail: 'Somebody else submitted this run; cancelling it needs the role engineer.' });
    }
    await cancelRun(system.commands, { projectId, commandId, actor, runId });
    return json(202, await showRun(system.store, { projectId, runId }));
  }),
});
