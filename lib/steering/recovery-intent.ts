/**
 * Semantic recovery (domain.md §10): one more attempt with a new intent, in that one
 * request only. The stored conversation stays as it is.
 */
import type { ChatMessage } from '@/lib/domain/message';

export const RECOVERY_INTENT =
  'Your last answer held nothing visible. Give a visible, checkable output now: either call one tool, or answer in plain text with the result so far and what is left.';

/** A copy of `messages`: the intent is merged into the last message when that is the user's, else appended as one. */
export function withRecoveryIntent(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages[messages.length - 1];
  if (last?.role === 'user') return [...messages.slice(0, -1), { ...last, text: `${last.text}\n\n${RECOVERY_INTENT}` }];
  return [...messages, { role: 'user', origin: 'report', text: RECOVERY_INTENT }];
}
