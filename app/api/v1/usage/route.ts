import { z } from 'zod';
import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { pageLimit, timestamp } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { listUsage, USAGE_GROUPS } from '@/lib/queries/list-usage';

const query = z.object({
  group_by: z.enum(USAGE_GROUPS).default('day'),
  from: timestamp.optional(),
  to: timestamp.optional(),
  cursor: z.string().max(2_000).optional(),
  limit: pageLimit(1_000, 100),
});

/** Sums over the ledger; everybody's for a manager, one's own for the rest. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', query }, async ({ system, principal, query: { group_by: groupBy, ...range } }) => {
    const page = await listUsage(system.store, principal, { groupBy, ...range });
    if (page === null) throw new Problem('invalid_cursor');
    return json(200, page);
  }),
});
