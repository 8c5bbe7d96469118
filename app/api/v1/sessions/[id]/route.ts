import { z } from 'zod';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf, pageLimit } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { showSession } from '@/lib/queries/show-session';

const params = z.object({ id: idOf('ses') });
const query = z.object({ cursor: z.string().max(500).optional(), limit: pageLimit(500, 100) });

/** Its turns and runs, and a page of the conversation (`cursor`, `limit`). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params, query }, async ({ system, principal: { projectId }, params: { id: sessionId }, query: page }) => {
    const session = found(await showSession(system.store, { projectId, sessionId }, page));
    if (session === 'invalid_cursor') throw new Problem('invalid_cursor');
    return json(200, session);
  }),
});
