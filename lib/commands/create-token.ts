import { z } from 'zod';
import { actorOf, type Principal } from '@/lib/auth/principal';
import { hashSecret, newApiToken } from '@/lib/auth/secret';
import type { TokenId } from '@/lib/domain/id';
import { includesRole, type Role } from '@/lib/domain/role';
import { insertApiToken } from '@/lib/store/api-tokens';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';

export interface CreateToken {
  readonly commandId: string;
  readonly principal: Principal;
  readonly name: string;
  /** Never above that of who makes it. */
  readonly role: Role;
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
}

export interface CreatedToken {
  readonly tokenId: TokenId;
  /** Shown once; null for a repetition, which cannot be told again what is not stored. */
  readonly token: string | null;
}

const result = z.object({ tokenId: z.custom<TokenId>((value) => typeof value === 'string') });

/**
 * A token for its maker, in the maker's project.
 * @throws CommandError `forbidden`, `invalid`, `command_reused`
 */
export async function createToken(context: CommandContext, request: CreateToken): Promise<CreatedToken> {
  const { commandId, principal, name, role, expiresAt } = request;
  const { projectId, userId } = principal;
  if (!includesRole(principal.role, role)) throw new CommandError('forbidden', `A token cannot be more than you are: ${principal.role}.`);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw new CommandError('invalid', 'The token would have expired already.');
  const token = newApiToken();
  const payload = { user_id: userId, name, role, expires_at: expiresAt?.toISOString() ?? null };
  const command = { projectId, commandId, actor: actorOf(principal), kind: 'create_token', payload };
  const done = await carryOut(context, command, result, async (sql) => {
    const tokenId = context.newId('tok');
    await insertApiToken(sql, { tokenId, projectId, userId, name, role, hash: hashSecret(token), expiresAt });
    return { target: tokenId, result: { tokenId }, runs: [], detail: { role, expires_at: payload.expires_at } };
  });
  return { tokenId: done.result.tokenId, token: done.created ? token : null };
}
