/**
 * running: a worker holds the lease. It alone puts what it saw before `decide`;
 * from outside come only `cancel` and the expiry of the lease.
 *
 * Over 150 lines because it is the one state in which work happens.
 */
import { isHard } from '../../delivery';
import { isBlank } from '../../visible';
import type { EventPayload, RunEventBody } from '../event';
import type { InputOf } from '../input';
import type { OpenCall, RunState } from '../state';
import { event, happened, notNow, notOpen, type Decision, type Handlers } from './decision';
import { closeRequest, endRun } from './ending';
import { outcomeEvents } from './outcome';
import { usageEvent } from './usage-event';
import { terminalFor } from './verdict';

const openCall = (state: RunState, callId: string): OpenCall | undefined => state.calls.find((call) => call.callId === callId);

function failedBody(input: InputOf<'model_failed'>): EventPayload<'model.failed'> {
  const { failure, partialText } = input;
  return {
    request_id: input.requestId,
    class: failure.class,
    code: failure.code,
    message: failure.message,
    retryable: failure.retryable,
    ...(partialText === '' ? {} : { text: partialText }),
    ...(failure.httpStatus === undefined ? {} : { http_status: failure.httpStatus }),
    ...(failure.retryAfterMs === undefined ? {} : { retry_after_ms: failure.retryAfterMs }),
    ...(failure.providerRequestId === undefined ? {} : { provider_request_id: failure.providerRequestId }),
  };
}

export function modelFailed(state: RunState, input: InputOf<'model_failed'>): Decision {
  if (state.openRequest?.requestId !== input.requestId) return notOpen(input.requestId);
  return happened(
    event('model.failed', failedBody(input)),
    usageEvent(input.requestId, state.openRequest.model, input.usage, input.costMicroUsd),
  );
}

export function modelResponded(state: RunState, input: InputOf<'model_responded'>): Decision {
  if (state.openRequest?.requestId !== input.requestId) return notOpen(input.requestId);
  const { purpose } = state.openRequest;
  const cut = input.finishReason === 'length';
  // A cut response runs no call, whatever it held (domain.md §10).
  const calls = cut ? [] : input.calls;
  if (!cut && calls.length === 0 && isBlank(input.text)) return modelFailed(state, asEmpty(input));
  // A recovery attempt's reasoning is never published.
  const reasoning = purpose === 'recovery' ? '' : (input.reasoning ?? '');
  return happened(
    event('model.responded', {
      request_id: input.requestId,
      ...(input.text === '' ? {} : { text: input.text }),
      ...(reasoning === '' ? {} : { reasoning }),
      tool_calls: calls.map((call) => ({
        call_id: call.callId,
        provider_call_id: call.providerCallId,
        name: call.name,
        arguments: call.argumentsText,
      })),
      finish_reason: input.finishReason,
    }),
    usageEvent(input.requestId, state.openRequest.model, input.usage, input.costMicroUsd),
    ...calls.flatMap((call) => propose(state, input.requestId, call)),
  );
}

/** Without visible content and without a call a response is none, reasoning or not (domain.md §10). Its usage is kept. */
function asEmpty({ requestId, usage, costMicroUsd, reasoning }: InputOf<'model_responded'>): InputOf<'model_failed'> {
  return {
    type: 'model_failed',
    requestId,
    failure: {
      class: 'empty_response',
      code: (reasoning ?? '') === '' ? 'empty' : 'reasoning_only',
      message: 'The provider answered without visible content and without a tool call.',
      retryable: true,
    },
    partialText: '',
    usage,
    costMicroUsd,
  };
}

function propose(state: RunState, requestId: string, call: InputOf<'model_responded'>['calls'][number]): RunEventBody[] {
  const { verdict, rule } = call.decision;
  const proposed = event('tool.proposed', {
    call_id: call.callId,
    request_id: requestId,
    task_id: state.taskId,
    provider_call_id: call.providerCallId,
    name: call.name,
    arguments: call.arguments,
    effect: call.effect,
    counts_as_write: call.countsAsWrite,
  });
  const decided = event('tool.decided', { call_id: call.callId, decision: verdict, rule });
  const ended: Record<typeof verdict, readonly RunEventBody[]> = {
    allow: [],
    deny: [event('tool.denied', { call_id: call.callId, rule })],
    ask: [
      event('tool.failed', {
        call_id: call.callId,
        code: 'permission_denied',
        message: `This call needs an approval (${rule}), and nobody was there who could give one.`,
        actor: 'system',
      }),
    ],
  };
  return [proposed, decided, ...ended[verdict]];
}

/** An outcome is believed after an intent; before it only a refusal is. */
export function endCall(state: RunState, input: InputOf<'end_call'>): Decision {
  const call = openCall(state, input.callId);
  if (call === undefined) return notOpen(input.callId);
  const refused = call.status === 'ready' && input.outcome.kind === 'failed';
  if (call.status !== 'running' && !refused) return notOpen(input.callId);
  return happened(...outcomeEvents(state, call, input.outcome));
}

/**
 * Calls of a response run in order; only adjacent calls without effect may overlap
 * (domain.md §4). So a crash in the first of five makes one `unknown`, not five.
 */
function mayStart(state: RunState, call: OpenCall): boolean {
  if (call.status !== 'ready') return false;
  const before = state.calls.slice(0, state.calls.indexOf(call));
  return before.every((earlier) => call.effect === 'none' && earlier.effect === 'none' && earlier.status !== 'waiting_for_approval');
}

/** What was delivered, or failed, is verified; a blocker never is. */
const mayVerify = (state: RunState): boolean =>
  state.blocker === null && (state.delivery !== null || state.step.status === 'failed');

/**
 * By itself a run goes on only when nothing with an effect is in doubt; else a
 * person reconciles first (domain.md §3), whatever the caller planned.
 */
const continuation = (closed: RunState, continuesAs: string | undefined): { continues_as?: string } =>
  continuesAs === undefined || closed.unknownEffects.length > 0 ? {} : { continues_as: continuesAs };

/** Every assistant call is followed by its tool message before anything else is said: strict endpoints refuse other histories. */
const isQuiet = (state: RunState): boolean => state.openRequest === null && state.calls.length === 0;

export const RUNNING: Handlers = {
  release: (state, input) =>
    happened(
      ...closeRequest(state, input.reason),
      ...state.calls
        .filter((call) => call.status === 'running')
        .map((call) =>
          call.effect === 'none'
            ? event('tool.failed', { call_id: call.callId, code: 'aborted', message: 'The worker stopped before the call had ended.' })
            : event('tool.unknown', { call_id: call.callId, reason: input.reason }),
        ),
      event('run.queued', { reason: 'released' }),
    ),
  // A request has no owner while the run waits: its answer, and its usage, would be refused.
  wait: (state, input) => (state.openRequest === null ? happened(event('run.waiting', { reason: input.reason })) : notNow(state, input)),
  request_model: (state, input) =>
    isQuiet(state)
      ? happened(
          event('model.requested', {
            request_id: input.requestId,
            purpose: input.purpose,
            model: input.model,
            attempt: state.failedAttempts + 1,
          }),
        )
      : notNow(state, input),
  model_responded: modelResponded,
  model_failed: modelFailed,
  start_call: (state, input) => {
    const call = openCall(state, input.callId);
    return call !== undefined && mayStart(state, call)
      ? happened(event('tool.started', { call_id: call.callId, effect: call.effect }))
      : notOpen(input.callId);
  },
  end_call: endCall,
  append_message: (state, input) =>
    isQuiet(state)
      ? happened(
          event('message.appended', {
            task_id: state.taskId,
            origin: input.origin,
            text: input.text,
            ...(input.objections === undefined ? {} : { objections: [...input.objections] }),
          }),
        )
      : notNow(state, input),
  record_delivery: (state, input) => {
    if (state.answer === null) return notOpen('answer');
    // A hard objection never stands beside an accepted answer (domain.md §8).
    if (input.verdict === 'accepted' && input.objections.some(isHard)) return notNow(state, input);
    return happened(event('delivery.recorded', { verdict: input.verdict, text: state.answer, objections: [...input.objections] }));
  },
  start_verification: (state, input) =>
    mayVerify(state) ? happened(event('verification.started', { command: input.command })) : notNow(state, input),
  complete_verification: (state, input) =>
    state.verification.status === 'running' ? happened(event('verification.completed', input.result)) : notOpen('verification'),
  exhaust_budget: (_state, input) => happened(event('budget.exhausted', input.exhausted)),
  end: (state, input) => happened(...endRun(state, 'run_ended', input.others, (closed) => terminalFor(closed, input.reason))),
  cancel: (_state, input) =>
    happened(
      event('command.accepted', { command_id: input.commandId, kind: 'cancel', actor: input.by }),
      event('run.cancelling', { by: input.by }),
    ),
  expire_lease: (state, input) =>
    happened(
      ...endRun(state, 'lease_expired', input.others, (closed) => ({
        status: 'interrupted',
        unknown_calls: [...closed.unknownCalls],
        ...continuation(closed, input.continuesAs),
      })),
    ),
};
