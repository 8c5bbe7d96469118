import { pageCall } from '@/app/session/page-call';
import type { ProfileState } from '@/components/auth/profile-form';
import { changeOwnProfile } from '@/lib/http/profile';

const FIELDS = ['name', 'email', 'password', 'current_password'] as const;

/** What a profile form says, saved; fields that were left empty change nothing. */
export async function saveProfile(from: string, before: ProfileState, form: FormData): Promise<ProfileState> {
  const call = await pageCall(from);
  const given = Object.fromEntries(
    FIELDS.map((name) => [name, form.get(name)]).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
  const values = { name: given['name'] ?? before.values.name, email: given['email'] ?? before.values.email };
  const errors = await changeOwnProfile(call, given);
  return { values, errors: errors ?? {}, done: errors === null };
}
