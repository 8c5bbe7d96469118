import { z } from 'zod';
import { actorOf, type Principal } from '@/lib/auth/principal';
import type { UserId } from '@/lib/domain/id';
import type { Role } from '@/lib/domain/role';
import { raiseEpoch } from '@/lib/store/people/account';
import { deleteMember, hasOtherAdmin, lockProject, readMember, updateMemberRole } from '@/lib/store/people/member';
import type { Sql } from '@/lib/store/sql';
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import type { CommandContext } from './context';

export interface ChangeMember {
  readonly commandId: string;
  readonly principal: Principal;
  readonly userId: UserId;
  /** `none`: a member no longer; their tokens of the project are deleted. */
  readonly role: Role | 'none';
}

/**
 * Gives a member another role, or takes the membership. Ends the person's sessions:
 * what a page of theirs offers must not be more than they may do.
 * @throws CommandError `not_found`, `last_admin`, `command_reused`
 */
export async function changeMember(context: CommandContext, { commandId, principal, userId, role }: ChangeMember): Promise<void> {
  const { projectId } = principal;
  const kind = role === 'none' ? 'remove_member' : 'change_role';
  const command = { projectId, commandId, actor: actorOf(principal), kind, payload: { user_id: userId, role } };
  await carryOut(context, command, z.object({}), async (sql) => {
    const from = await roleThatMayGo(sql, { projectId, userId, role });
    if (role === 'none') await deleteMember(sql, { projectId, userId });
    else await updateMemberRole(sql, { projectId, userId, role });
    if (from !== role) await raiseEpoch(sql, userId);
    return { target: userId, result: {}, runs: [], detail: { from, to: role } };
  });
}

/** Under the project's lock, so that of two admins who remove each other one is told. */
async function roleThatMayGo(sql: Sql, { projectId, userId, role }: Pick<ChangeMember, 'userId' | 'role'> & Pick<Principal, 'projectId'>): Promise<Role> {
  await lockProject(sql, projectId);
  const member = await readMember(sql, { projectId, userId });
  if (member === null) throw new CommandError('not_found', 'There is no such member.');
  if (member.role === 'admin' && role !== 'admin' && !(await hasOtherAdmin(sql, { projectId, userId }))) {
    throw new CommandError('last_admin', 'This is the only admin of the project. Make somebody else one first.', { user_id: userId });
  }
  return member.role;
}
