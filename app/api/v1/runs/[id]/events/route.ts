import { z } from 'zod';
import { found, json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { afterSeq, flag, idOf, pageLimit, parseWith } from '@/lib/http/parse';
import { Problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { stillAllowed } from '@/lib/http/still-allowed';
import { serveStream } from '@/lib/live/serve-stream';
import { resumeAfter, resumeTreeAfter, wantsStream } from '@/lib/live/stream-request';
import { listEvents } from '@/lib/queries/list-events';
import { showRun } from '@/lib/queries/show-run';

const params = z.object({ id: idOf('run') });
const query = z.object({ after: z.string().max(8_192).default('0'), tree: flag.default(false), limit: pageLimit(1_000, 200) });

/**
 * A page of stored events; asked for `text/event-stream`, the rest of the log as it
 * grows, with `tree=true` those of the runs below it too.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params, query }, async ({ system, principal, params: { id: runId }, query: { after, tree, limit }, request }) => {
    const { projectId } = principal;
    const { headers } = request;
    if (wantsStream(headers)) {
      const tail = (signal: AbortSignal) =>
        system.live.tail({ projectId, runId, after: cursor(resumeAfter(headers, seqOf(after))), signal });
      const tailTree = (signal: AbortSignal) =>
        system.live.tailTree({ projectId, runId, after: cursor(resumeTreeAfter(headers, runId, after)), signal });
      const open = tree ? tailTree : tail;
      return found(await serveStream({ signal: request.signal, open, stillAllowed: stillAllowed(system, request, principal) }));
    }
    const events = await listEvents(system.store, { projectId, runId, after: seqOf(after), limit });
    if (events.length === 0) found(await showRun(system.store, { projectId, runId }));
    const last = events.length === limit ? events.at(-1) : undefined;
    const items = events.map((event) => ({ version: '1', run_id: runId, ...event }));
    return json(200, { items, next_cursor: last === undefined ? null : String(last.seq) });
  }),
});

const seqOf = (after: string): number => parseWith(z.object({ after: afterSeq }), { after }).after;

function cursor<T>(read: T | null): T {
  if (read === null) throw new Problem('invalid_cursor', { detail: 'This is the id of no event.' });
  return read;
}
