import { z } from 'zod';
import { found, streamed } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { exportSession } from '@/lib/queries/export-session';

const params = z.object({ id: idOf('ses') });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ permission: 'viewer', params }, async ({ system, principal: { projectId }, params: { id: sessionId } }) => {
    const lines = found(await exportSession(system.store, { projectId, sessionId }));
    return streamed('application/jsonl; charset=utf-8', lines, { 'content-disposition': `attachment; filename="${sessionId}.jsonl"` });
  }),
});
