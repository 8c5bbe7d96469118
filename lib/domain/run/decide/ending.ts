/** Ends a run: what was in flight gets its one outcome (I4), then the terminal, then the turn's rest. */
import { completionOf } from '../complete';
import type { RunEventBody } from '../event';
import type { OtherTotals } from '../input';
import type { RunState } from '../state';
import type { Terminal } from '../terminal';
import { after, event } from './decision';
import { usageEvent } from './usage-event';

/** An aborted or crashed request without a report has used an unknown amount, never 0 (I10). */
export function closeRequest(state: RunState, reason: string): readonly RunEventBody[] {
  const { openRequest } = state;
  if (openRequest === null) return [];
  return [
    event('model.failed', {
      request_id: openRequest.requestId,
      class: 'aborted',
      code: reason,
      message: 'The request was in flight when its run stopped; whether the provider answered is not known.',
      retryable: false,
    }),
    usageEvent(openRequest.requestId, openRequest.model, { state: 'unknown', reason }, null),
  ];
}

/** A call whose effect had begun is `unknown`; one that had not begun is `withdrawn`. */
export function closeCalls(state: RunState, reason: string): readonly RunEventBody[] {
  return state.calls.map((call) =>
    call.status === 'running'
      ? event('tool.unknown', { call_id: call.callId, reason })
      : event('tool.withdrawn', { call_id: call.callId, reason }),
  );
}

/**
 * @param make gets the state after everything in flight was closed.
 */
export function endRun(
  state: RunState,
  reason: string,
  others: OtherTotals,
  make: (closed: RunState) => Terminal,
): readonly RunEventBody[] {
  const closing = [...closeRequest(state, reason), ...closeCalls(state, reason)];
  const closed = after(state, closing);
  const terminal = make(closed);
  const ending = [...closing, terminalEvent(terminal)];
  if (terminal.status === 'interrupted' && terminal.continues_as !== undefined) return ending;
  return [...ending, event('session.completed', completionOf(after(closed, [terminalEvent(terminal)]), terminal, others))];
}

function terminalEvent(terminal: Terminal): RunEventBody {
  const { status, ...payload } = terminal;
  return { type: `run.${status}`, payload } as RunEventBody;
}
