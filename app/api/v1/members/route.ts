import { z } from 'zod';
import { emailSchema } from '@/lib/auth/email';
import { inviteMember } from '@/lib/commands/invite-member';
import { roleSchema } from '@/lib/domain/role';
import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { label, pageLimit } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { listMembers, showMember } from '@/lib/queries/list-members';

const query = z.object({ cursor: z.string().max(500).optional(), limit: pageLimit(200, 50) });
const body = z.strictObject({ email: emailSchema, name: label.nullable().default(null), role: roleSchema.default('member') });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', query }, async ({ system, principal: { projectId }, query: page }) => {
    const members = await listMembers(system.store, projectId, page);
    if (members === null) throw new Problem('invalid_cursor');
    return json(200, members);
  }),

  /** `sign_in_path` is shown this once, to be given to the person; null where they can sign in already. */
  POST: route({ permission: 'admin', body }, async ({ system, principal, body: { email, name, role }, commandId }) => {
    const person = { email, name: name === null ? null : system.intake(name), role };
    const { userId, signInPath, created } = await inviteMember(system.commands, { commandId, principal, ...person });
    return json(created ? 201 : 200, { ...(await showMember(system.store, principal.projectId, userId)), sign_in_path: signInPath });
  }),
});
