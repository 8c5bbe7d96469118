import { z } from 'zod';
import { noContent } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { stillAllowed } from '@/lib/http/still-allowed';
import { serveStream } from '@/lib/live/serve-stream';
import { parseCursors, wantsStream } from '@/lib/live/stream-request';

export const dynamic = 'force-dynamic';

const query = z.object({
  /** `run_a:12,run_b:0`: runs with the last seq seen of each. */
  runs: z.string().max(8_192).default(''),
  project: z.enum(['0', '1']).default('0'),
});

/**
 * All that one browser watches, in one stream. What it watches stands in the address: it
 * connects anew when that changes, so that nothing is kept here between requests and any
 * web process can answer. Without `Accept: text/event-stream` it says only whether the
 * reader may (an EventSource does not show a status).
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', query }, async ({ system, principal, request, query: { runs, project } }) => {
    const cursors = parseCursors(runs);
    if (cursors === null) throw new Problem('invalid_cursor', { detail: 'runs must be run_id:seq, parted by commas, each run once.' });
    if (!wantsStream(request.headers)) return noContent();
    const answer = await serveStream({
      signal: request.signal,
      heartbeat: 'event',
      stillAllowed: stillAllowed(system, request, principal, 'viewer'),
      open: (signal) => system.live.multiplex({ projectId: principal.projectId, runs: cursors, project: project === '1', signal }),
    });
    return answer ?? noContent();
  }),
});
