import { z } from 'zod';
import { revokeToken } from '@/lib/commands/revoke-token';
import { noContent } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { idOf } from '@/lib/http/parse';
import { route } from '@/lib/http/route';

const params = z.object({ id: idOf('tok') });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({ permission: 'viewer', params }, async ({ system, principal, params: { id: tokenId }, commandId }) => {
    await revokeToken(system.commands, { commandId, principal, tokenId });
    return noContent();
  }),
});
