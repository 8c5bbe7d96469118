/**
 * running: a worker holds the lease. It alone puts what it saw before `decide`;
 * from outside come only `cancel` and the expiry of the lease.
 *
 * Over 150 lines because it is the one state in which work happens.
 */
import { normalisePath } from '../../path';
import type { StepEvidence } from '../../step';
import type { EventPayload, RunEventBody } from '../event';
import type { CallOutcome, InputOf } from '../input';
import type { OpenCall, RunState } from '../state';
import { event, happened, notOpen, type Decision, type Handlers } from './decision';
import { closeRequest, endRun } from './ending';
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
  return happened(
    event('model.responded', {
      request_id: input.requestId,
      ...(input.text === '' ? {} : { text: input.text }),
      ...(input.reasoning === undefined || input.reasoning === '' ? {} : { reasoning: input.reasoning }),
      tool_calls: input.calls.map((call) => ({
        call_id: call.callId,
        provider_call_id: call.providerCallId,
        name: call.name,
        arguments: call.argumentsText,
      })),
      finish_reason: input.finishReason,
    }),
    usageEvent(input.requestId, state.openRequest.model, input.usage, input.costMicroUsd),
    ...input.calls.flatMap((call) => propose(state, input.requestId, call)),
  );
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

function outcomeEvents(state: RunState, call: OpenCall, outcome: CallOutcome): RunEventBody[] {
  const call_id = call.callId;
  switch (outcome.kind) {
    case 'completed':
      return [
        event('tool.completed', {
          call_id,
          output: outcome.output,
          truncated: outcome.truncated,
          ...(outcome.exitCode === undefined ? {} : { exit_code: outcome.exitCode }),
          ...(outcome.diff === undefined ? {} : { diff: outcome.diff }),
          ...(outcome.changedPaths === undefined ? {} : { changed_paths: [...outcome.changedPaths] }),
        }),
      ];
    case 'failed': {
      const { kind: _kind, ...failed } = outcome;
      return [event('tool.failed', { call_id, ...failed })];
    }
    case 'unknown': {
      const { kind: _kind, ...unknown } = outcome;
      return [event('tool.unknown', { call_id, ...unknown })];
    }
    case 'plan_updated':
      return [said(call_id, 'The plan is updated.'), event('plan.updated', { call_id, items: [...outcome.items] })];
    case 'step_ended':
      return stepEvents(state, call_id, outcome);
    case 'blocker_reported':
      return [
        said(call_id, 'The blocker is recorded. The task ends here.'),
        event('blocker.reported', { ...outcome.report, call_id, blocker_id: outcome.blockerId }),
      ];
  }
}

const said = (call_id: string, output: string): RunEventBody => event('tool.completed', { call_id, output, truncated: false });

/** The implicit step's evidence is `{summary (not empty), files_changed[]}` (domain.md §8). */
function stepEvents(state: RunState, call_id: string, outcome: Extract<CallOutcome, { kind: 'step_ended' }>): RunEventBody[] {
  const { success, evidence, reason } = outcome;
  if (!success) {
    const why = reason ?? text(evidence['summary']) ?? 'no reason was given';
    return [said(call_id, 'The step is recorded as failed.'), event('step.failed', { call_id, evidence, reason: why })];
  }
  const refusal = refuseEvidence(state, evidence, outcome.differing);
  if (refusal !== null) {
    return [
      event('tool.failed', { call_id, code: 'step_refused', message: refusal }),
      event('step.refused', { call_id, reason: refusal }),
    ];
  }
  return [
    said(call_id, 'The step is complete. Now answer the user in plain text with the result.'),
    event('step.completed', { call_id, evidence }),
  ];
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

function refuseEvidence(state: RunState, evidence: StepEvidence, differing: ReadonlyMap<string, boolean | 'unknown'>): string | null {
  if (text(evidence['summary']) === null) return 'Evidence field `summary` is missing or empty: say what was done.';
  const files = evidence['files_changed'];
  if (!Array.isArray(files)) return 'Evidence field `files_changed` is missing: list the changed paths, or give an empty list.';
  for (const file of files as readonly unknown[]) {
    if (typeof file !== 'string') return 'Evidence field `files_changed` holds something that is not a path.';
    const path = normalisePath(file);
    if (!state.changedPaths.includes(path) && differing.get(file) !== true) {
      return `Evidence field \`files_changed\` names ${file}, but no successful write to it is recorded and it does not differ from the beginning of the turn.`;
    }
  }
  return null;
}

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
  wait: (_state, input) => happened(event('run.waiting', { reason: input.reason })),
  request_model: (state, input) =>
    state.openRequest !== null
      ? notOpen(input.requestId)
      : happened(
          event('model.requested', {
            request_id: input.requestId,
            purpose: input.purpose,
            model: input.model,
            attempt: state.failedAttempts + 1,
          }),
        ),
  model_responded: modelResponded,
  model_failed: modelFailed,
  start_call: (state, input) => {
    const call = openCall(state, input.callId);
    return call?.status === 'ready'
      ? happened(event('tool.started', { call_id: call.callId, effect: call.effect }))
      : notOpen(input.callId);
  },
  end_call: endCall,
  append_message: (state, input) =>
    happened(
      event('message.appended', {
        task_id: state.taskId,
        origin: input.origin,
        text: input.text,
        ...(input.objections === undefined ? {} : { objections: [...input.objections] }),
      }),
    ),
  record_delivery: (state, input) =>
    state.answer === null
      ? notOpen('answer')
      : happened(
          event('delivery.recorded', { verdict: input.verdict, text: state.answer, objections: [...input.objections] }),
        ),
  start_verification: (_state, input) => happened(event('verification.started', { command: input.command })),
  complete_verification: (_state, input) => happened(event('verification.completed', input.result)),
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
        ...(input.continuesAs === undefined ? {} : { continues_as: input.continuesAs }),
      })),
    ),
};
