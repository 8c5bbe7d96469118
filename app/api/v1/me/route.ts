import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { route } from '@/lib/http/route';

/** Who asks, in which project, and as what. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer' }, async ({ principal: { userId, name, projectId, role, via } }) =>
    json(200, { id: userId, name, project: projectId, role, via }),
  ),
});
