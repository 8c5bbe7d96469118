import { z } from 'zod';
import { changeMember } from '@/lib/commands/change-member';
import { roleSchema } from '@/lib/domain/role';
import { found, json, noContent } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { showMember } from '@/lib/queries/list-members';

const params = z.object({ id: idOf('usr') });
const body = z.strictObject({ role: roleSchema });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params }, async ({ system, principal: { projectId }, params: { id } }) =>
    json(200, found(await showMember(system.store, projectId, id))),
  ),

  PATCH: route({ permission: 'admin', params, body }, async ({ system, principal, params: { id: userId }, body: { role }, commandId }) => {
    await changeMember(system.commands, { commandId, principal, userId, role });
    return json(200, found(await showMember(system.store, principal.projectId, userId)));
  }),

  DELETE: route({ permission: 'admin', params }, async ({ system, principal, params: { id: userId }, commandId }) => {
    await changeMember(system.commands, { commandId, principal, userId, role: 'none' });
    return noContent();
  }),
});
