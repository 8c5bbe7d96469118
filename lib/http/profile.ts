/** A person's own profile, changed from pages (server actions). */
import { encode } from 'next-auth/jwt';
import { cookies } from 'next/headers';
import { z } from 'zod';
import { authSettings } from '@/lib/auth/auth-settings';
import { changeProfile, profileSchema, type ProfileChange } from '@/lib/auth/change-profile';
import type { Principal } from '@/lib/auth/principal';
import type { System } from '@/lib/system';

export type ProfileErrors = Partial<Record<keyof ProfileChange, string>>;

const SESSION_SECONDS = 14 * 24 * 3_600;

/**
 * Changes name, address or password of whoever looks at the page. A new password ends
 * all their sessions but this one.
 * @returns what stands wrong in which field; null when it is done.
 */
export async function changeOwnProfile(
  { system, principal }: { readonly system: System; readonly principal: Principal },
  given: Readonly<Record<string, string>>,
): Promise<ProfileErrors | null> {
  const parsed = profileSchema.safeParse(given);
  if (!parsed.success) return fieldMessages(parsed.error);
  const { store, commands, projectId, configuration } = system;
  const outcome = await changeProfile({ store, newId: commands.newId, projectId }, principal.userId, parsed.data);
  if (!outcome.ok) return { [outcome.field]: outcome.message };
  if (principal.via !== 'session' || parsed.data.password === undefined) return null;

  const { secret, cookieName, secureCookies } = authSettings(configuration);
  const token = { sub: principal.userId, name: parsed.data.name ?? principal.name, epoch: outcome.authEpoch, checkedAt: Date.now() };
  const sealed = await encode({ secret, salt: cookieName, token, maxAge: SESSION_SECONDS });
  (await cookies()).set(cookieName, sealed, { httpOnly: true, sameSite: 'lax', path: '/', secure: secureCookies, maxAge: SESSION_SECONDS });
  return null;
}

function fieldMessages(error: z.ZodError<ProfileChange>): ProfileErrors {
  const { fieldErrors } = z.flattenError(error);
  return Object.fromEntries(Object.entries(fieldErrors).map(([field, messages]) => [field, messages[0]]));
}
