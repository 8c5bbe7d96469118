'use server';
import { redirect } from 'next/navigation';
import { saveProfile } from '@/app/session/save-profile';
import type { ProfileState } from '@/components/auth/profile-form';

export async function saveFirstProfile(before: ProfileState, form: FormData): Promise<ProfileState> {
  const after = await saveProfile('/welcome', before, form);
  if (after.done) redirect('/');
  return after;
}
