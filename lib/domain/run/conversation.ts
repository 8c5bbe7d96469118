/**
 * The conversation that events make: which of them become messages, and how an
 * outcome reads to the model. The worker's memory and the message table are both
 * filled by this one function, so that they cannot differ.
 */
import type { CallId } from '../id';
import type { ChatMessage } from '../message';
import type { EventPayload, EventType, RunEventBody } from './event';
import type { RunState } from './state';

export interface PlacedMessage {
  /** Of the event that made it. */
  readonly seq: number;
  readonly message: ChatMessage;
}

type Messages = { readonly [T in EventType]?: (payload: EventPayload<T>, before: RunState | null) => ChatMessage };

/** The events that become messages; all others are silent. */
const MESSAGES: Messages = {
  'message.appended': ({ origin, text }) => ({ role: 'user', origin, text }),
  'model.responded': ({ text, reasoning, tool_calls }) => ({
    role: 'assistant',
    text: text ?? '',
    ...(reasoning === undefined ? {} : { reasoning }),
    calls: tool_calls.map((call) => ({
      callId: call.call_id as CallId,
      providerCallId: call.provider_call_id,
      name: call.name,
      arguments: call.arguments,
    })),
  }),
  'tool.completed': (payload, before) => toolMessage(before, payload.call_id, withExitCode(payload)),
  'tool.failed': ({ call_id, code, message, output }, before) => toolMessage(before, call_id, join(`error ${code}: ${message}`, output)),
  'tool.denied': ({ call_id, rule, reason }, before) => toolMessage(before, call_id, join(`denied by ${rule}`, reason)),
  'tool.withdrawn': ({ call_id, reason }, before) =>
    toolMessage(before, call_id, `withdrawn: the run ended before this call began (${reason})`),
  'tool.unknown': ({ call_id, reason, output }, before) =>
    toolMessage(
      before,
      call_id,
      join(
        `outcome unknown: the call was in flight when its worker stopped (${reason}). It may or may not have had its effect; check before you repeat it.`,
        output,
      ),
    ),
};

/**
 * @param before the state before the event: it knows which provider id a call answers.
 */
export function messageOf(before: RunState | null, event: RunEventBody): ChatMessage | null {
  const make = MESSAGES[event.type] as ((payload: unknown, before: RunState | null) => ChatMessage) | undefined;
  return make?.(event.payload, before) ?? null;
}

function withExitCode(payload: { output: string; exit_code?: number | undefined }): string {
  return payload.exit_code === undefined ? payload.output : join(`exit code ${payload.exit_code}`, payload.output);
}

const join = (head: string, tail: string | undefined): string => (tail === undefined || tail === '' ? head : `${head}\n${tail}`);

function toolMessage(before: RunState | null, callId: string, text: string): ChatMessage {
  const call = before?.calls.find((open) => open.callId === callId);
  return { role: 'tool', callId: callId as CallId, providerCallId: call?.providerCallId ?? callId, text };
}
