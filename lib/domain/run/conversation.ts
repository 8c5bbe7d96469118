/**
 * The conversation that events make: which of them become messages, and how an
 * outcome reads to the model. The worker's memory and the message table are both
 * filled by this one function, so that they cannot differ.
 */
import type { CallId } from '../id';
import type { ChatMessage } from '../message';
import type { RunEventBody } from './event';
import type { RunState } from './state';

export interface PlacedMessage {
  /** Of the event that made it. */
  readonly seq: number;
  readonly message: ChatMessage;
}

/**
 * @param before the state before the event: it knows which provider id a call answers.
 */
export function messageOf(before: RunState | null, event: RunEventBody): ChatMessage | null {
  switch (event.type) {
    case 'message.appended':
      return { role: 'user', origin: event.payload.origin, text: event.payload.text };
    case 'model.responded': {
      const { text, reasoning, tool_calls } = event.payload;
      return {
        role: 'assistant',
        text: text ?? '',
        ...(reasoning === undefined ? {} : { reasoning }),
        calls: tool_calls.map((call) => ({
          callId: call.call_id as CallId,
          providerCallId: call.provider_call_id,
          name: call.name,
          arguments: call.arguments,
        })),
      };
    }
    case 'tool.completed':
      return toolMessage(before, event.payload.call_id, withExitCode(event.payload));
    case 'tool.failed': {
      const { code, message, output } = event.payload;
      return toolMessage(before, event.payload.call_id, join(`error ${code}: ${message}`, output));
    }
    case 'tool.denied':
      return toolMessage(before, event.payload.call_id, join(`denied by ${event.payload.rule}`, event.payload.reason));
    case 'tool.withdrawn':
      return toolMessage(before, event.payload.call_id, `withdrawn: the run ended before this call began (${event.payload.reason})`);
    case 'tool.unknown':
      return toolMessage(
        before,
        event.payload.call_id,
        join(
          `outcome unknown: the call was in flight when its worker stopped (${event.payload.reason}). It may or may not have had its effect; check before you repeat it.`,
          event.payload.output,
        ),
      );
    default:
      return null;
  }
}

function withExitCode(payload: { output: string; exit_code?: number | undefined }): string {
  return payload.exit_code === undefined ? payload.output : join(`exit code ${payload.exit_code}`, payload.output);
}

const join = (head: string, tail: string | undefined): string => (tail === undefined || tail === '' ? head : `${head}\n${tail}`);

function toolMessage(before: RunState | null, callId: string, text: string): ChatMessage {
  const call = before?.calls.find((open) => open.callId === callId);
  return { role: 'tool', callId: callId as CallId, providerCallId: call?.providerCallId ?? callId, text };
}
