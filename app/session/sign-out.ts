'use server';
import { signOutHere } from '@/lib/http/sign-in';

export async function signOut(): Promise<void> {
  await signOutHere();
}
