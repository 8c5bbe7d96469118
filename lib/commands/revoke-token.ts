import { z } from 'zod';
import { actorOf, type Principal } from '@/lib/auth/principal';
import type { TokenId } from '@/lib/domain/id';
import { includesRole } from '@/lib/domain/role';
import { readTokenRow, revokeApiToken } from '@/lib/store/api-tokens';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';

export interface RevokeToken {
  readonly commandId: string;
  readonly principal: Principal;
  readonly tokenId: TokenId;
}

/**
 * From now on the token is worth nothing. Everybody revokes their own, an admin any; the
 * token of another is, to the rest, not there.
 * @throws CommandError `not_found`, `command_reused`
 */
export async function revokeToken(context: CommandContext, { commandId, principal, tokenId }: RevokeToken): Promise<void> {
  const { projectId } = principal;
  const command = { projectId, commandId, actor: actorOf(principal), kind: 'revoke_token', payload: { token_id: tokenId } };
  await carryOut(context, command, z.object({}), async (sql) => {
    const token = await readTokenRow(sql, { projectId, tokenId });
    if (token === null || (token.userId !== principal.userId && !includesRole(principal.role, 'admin'))) {
      throw new CommandError('not_found', 'There is no such token.');
    }
    await revokeApiToken(sql, { projectId, tokenId });
    return { target: tokenId, result: {}, runs: [] };
  });
}
