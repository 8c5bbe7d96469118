import { z } from 'zod';
import { actorOf, type Principal } from '@/lib/auth/principal';
import { keepSignInLink, newSignInLink } from '@/lib/auth/sign-in-link';
import type { UserId } from '@/lib/domain/id';
import type { Role } from '@/lib/domain/role';
import { findAccount, insertAccount } from '@/lib/store/people/account';
import { insertMember, readMember } from '@/lib/store/people/member';
import { readMembership } from '@/lib/store/read-membership';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';

export interface InviteMember {
  readonly commandId: string;
  readonly principal: Principal;
  /** As `emailSchema` gives it. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
}

export interface InvitedMember {
  readonly userId: UserId;
  /** To be sent to the person; shown once, to the first sender. Null where they can sign in already. */
  readonly signInPath: string | null;
  readonly created: boolean;
}

const LINK_VALID_SECONDS = 7 * 24 * 3_600;
const result = z.object({ userId: z.custom<UserId>((value) => typeof value === 'string'), hasLink: z.boolean() });

/**
 * Makes somebody a member, known or not. Whoever has no way to sign in gets a one-time link.
 * @throws CommandError `already_member`, `command_reused`
 */
export async function inviteMember(context: CommandContext, request: InviteMember): Promise<InvitedMember> {
  const { commandId, principal, email, name, role } = request;
  const { projectId } = principal;
  const actor = actorOf(principal);
  const link = newSignInLink();
  const command = { projectId, commandId, actor, kind: 'invite_member', payload: { email, name, role } };
  const done = await carryOut(context, command, result, async (sql) => {
    const known = await findAccount(sql, email);
    const userId = known?.userId ?? context.newId('usr');
    if (known === null) await insertAccount(sql, { userId, email, name: name ?? email });
    if ((await readMember(sql, { projectId, userId })) !== null) {
      throw new CommandError('already_member', 'This person is a member of the project already.', { user_id: userId });
    }
    // A link signs its person in everywhere: whoever belongs to another project already gets none from here.
    const isElsewhere = known !== null && (await readMembership(sql, userId))?.membership !== null;
    await insertMember(sql, { projectId, userId, role });
    const hasLink = known?.canSignIn !== true && !isElsewhere;
    if (hasLink) await keepSignInLink(sql, link, userId, actor, LINK_VALID_SECONDS);
    return { target: userId, result: { userId, hasLink }, runs: [], detail: { role } };
  });
  const { userId, hasLink } = done.result;
  return { userId, signInPath: done.created && hasLink ? link.path : null, created: done.created };
}
