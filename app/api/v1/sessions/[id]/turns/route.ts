import { z } from 'zod';
import { startTurn } from '@/lib/commands/start-turn';
import { found, json } from '@/lib/http/answer';
import { limitsBodies, limitsFor } from '@/lib/http/limits';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';
import { messageText } from '@/lib/http/submission';
import { showRun } from '@/lib/queries/show-run';
import { showSessionHead } from '@/lib/queries/show-session';

const params = z.object({ id: idOf('ses') });
const body = z.strictObject({ text: messageText, ...limitsBodies });

/** The next message of a session, when no run of it is live. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ permission: 'member', params, body }, async ({ system, principal: { projectId }, actor, params: { id: sessionId }, body: asked, commandId }) => {
    const { model } = found(await showSessionHead(system.store, { projectId, sessionId }));
    const turn = { text: system.intake(asked.text), ...limitsFor(system, model, asked) };
    const { runId, created } = await startTurn(system.commands, { projectId, commandId, actor, sessionId, ...turn, dispatch: { kind: 'worker' } });
    return json(created ? 201 : 200, await showRun(system.store, { projectId, runId }), { location: `/api/v1/runs/${runId}` });
  }),
});
