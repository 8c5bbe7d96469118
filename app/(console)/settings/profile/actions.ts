'use server';
import { revalidatePath } from 'next/cache';
import { saveProfile } from '@/app/session/save-profile';
import type { ProfileState } from '@/components/auth/profile-form';

export async function saveOwnProfile(before: ProfileState, form: FormData): Promise<ProfileState> {
  const after = await saveProfile('/settings/profile', before, form);
  if (after.done) revalidatePath('/settings/profile');
  return after;
}
