import { z } from 'zod';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { afterSeq, idOf, pageLimit } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { stillAllowed } from '@/lib/http/still-allowed';
import { serveStream } from '@/lib/live/serve-stream';
import { resumeAfter, wantsStream } from '@/lib/live/stream-request';
import { listEvents } from '@/lib/queries/list-events';
import { showRun } from '@/lib/queries/show-run';

const params = z.object({ id: idOf('run') });
const query = z.object({ after: afterSeq, limit: pageLimit(1_000, 200) });

/** A page of stored events; asked for `text/event-stream`, the rest of the log as it grows. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params, query }, async ({ system, principal, params: { id: runId }, query: { after, limit }, request }) => {
    const { projectId } = principal;
    if (wantsStream(request.headers)) {
      const from = resumeAfter(request.headers, after);
      if (from === null) throw new Problem('invalid_cursor', { detail: 'Last-Event-ID is the seq of an event.' });
      const open = (signal: AbortSignal) => system.live.tail({ projectId, runId, after: from, signal });
      return found(await serveStream({ signal: request.signal, open, stillAllowed: stillAllowed(system, request, principal) }));
    }
    const events = await listEvents(system.store, { projectId, runId, after, limit });
    if (events.length === 0) found(await showRun(system.store, { projectId, runId }));
    const last = events.length === limit ? events.at(-1) : undefined;
    const items = events.map((event) => ({ version: '1', run_id: runId, ...event }));
    return json(200, { items, next_cursor: last === undefined ? null : String(last.seq) });
  }),
});
