import type { SignInRefusal } from '@/lib/http/sign-in';

export const REFUSAL_WORDS: Readonly<Record<SignInRefusal, string>> = {
  wrong: 'This address and password do not belong together.',
  too_many_attempts: 'Too many attempts. Wait a few minutes, then try again.',
  link_used: 'This link was used already, or its time is over. Ask for another one.',
};
