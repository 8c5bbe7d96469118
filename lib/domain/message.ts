/**
 * A task's conversation, in no provider's dialect. Adapters translate it; nobody
 * rewrites it: messages are only ever appended (domain.md §8, stable prefix).
 */
import type { CallId } from './id';

/** Who speaks in the user's seat. */
export const MESSAGE_ORIGINS = ['goal', 'answer', 'report', 'notice', 'result'] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];

export interface MessageCall {
  readonly callId: CallId;
  /** The id the provider gave; sent back as it came, since some endpoints check its shape. */
  readonly providerCallId: string;
  readonly name: string;
  /** JSON text as it is shown to the model again: redacted, and `{}` where the model sent nothing. */
  readonly arguments: string;
}

export type ChatMessage =
  | { readonly role: 'user'; readonly origin: MessageOrigin; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly reasoning?: string;
      readonly calls: readonly MessageCall[];
    }
  | { readonly role: 'tool'; readonly callId: CallId; readonly providerCallId: string; readonly text: string };
