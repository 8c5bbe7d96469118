import { z } from 'zod';
import { createToken } from '@/lib/commands/create-token';
import { roleSchema } from '@/lib/domain/role';
import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { label, pageLimit, timestamp } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { listTokens, showToken } from '@/lib/queries/list-tokens';

const query = z.object({ cursor: z.string().max(500).optional(), limit: pageLimit(200, 50) });
const body = z.strictObject({ name: label, role: roleSchema, expires_at: timestamp.nullable().default(null) });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', query }, async ({ system, principal, query: page }) => {
    const tokens = await listTokens(system.store, principal, page);
    if (tokens === null) throw new Problem('invalid_cursor');
    return json(200, tokens);
  }),

  /** `token` is shown this once. */
  POST: route({ permission: 'viewer', body }, async ({ system, principal, body: { name, role, expires_at: expiresAt }, commandId }) => {
    const { tokenId, token } = await createToken(system.commands, { commandId, principal, name: system.intake(name), role, expiresAt });
    return json(token === null ? 200 : 201, { ...(await showToken(system.store, principal, tokenId)), token });
  }),
});
