import { z } from 'zod';
import type { UserId } from '@/lib/domain/id';
import { lockAccount, raiseEpoch, updateAccount } from '@/lib/store/people/account';
import { StoreError } from '@/lib/store/store-error';
import { auditSignIn } from './audit';
import type { AuthContext } from './auth-context';
import { emailSchema } from './email';
import { hashPassword, passwordSchema, verifyPassword } from './password';

export const profileSchema = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(100).optional(),
  email: emailSchema.optional(),
  password: passwordSchema.optional(),
  /** Needed to change a password that there is. */
  current_password: z.string().max(1_024).optional(),
});
export type ProfileChange = z.infer<typeof profileSchema>;

export type ProfileOutcome =
  | { readonly ok: true; /** The session's, after the change. */ readonly authEpoch: number }
  | { readonly ok: false; readonly field: keyof ProfileChange; readonly message: string };

/**
 * A person's own name, address and password. A new password ends all their sessions;
 * whoever changes it is given a new one with the epoch that comes back.
 * @throws StoreError
 */
export async function changeProfile(context: AuthContext, userId: UserId, change: ProfileChange): Promise<ProfileOutcome> {
  const newHash = change.password === undefined ? null : await hashPassword(change.password);
  try {
    return await context.store.transaction(async (sql): Promise<ProfileOutcome> => {
      const account = await lockAccount(sql, userId);
      if (account === null) return { ok: false, field: 'name', message: 'this account is gone' };
      const isSensitive = newHash !== null || (change.email !== undefined && change.email !== account.email);
      if (isSensitive && account.passwordHash !== null && !(await verifyPassword(change.current_password ?? '', account.passwordHash))) {
        return { ok: false, field: 'current_password', message: 'is not your present password' };
      }
      if (newHash !== null && (change.email ?? account.email) === null) {
        return { ok: false, field: 'email', message: 'is needed to sign in with a password' };
      }
      await updateAccount(sql, {
        userId,
        email: change.email ?? account.email,
        name: change.name ?? account.name,
        passwordHash: newHash ?? account.passwordHash,
      });
      const authEpoch = newHash === null ? account.authEpoch : await raiseEpoch(sql, userId);
      await auditSignIn(context, sql, 'profile_changed', userId, { fields: Object.keys(change).filter((field) => field !== 'current_password') });
      return { ok: true, authEpoch };
    });
  } catch (error) {
    if (error instanceof StoreError && error.constraint === 'app_user_email_key') return { ok: false, field: 'email', message: 'is taken by somebody else' };
    throw error;
  }
}
