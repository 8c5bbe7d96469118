/**
 * One attempt at the provider: intent, request, settlement. The intent commits
 * before the dial (fault matrix B3); response, usage and proposed calls commit
 * together (architecture.md §4). Retries are the next step's business, not a loop here.
 */
import type { RequestId } from '@/lib/domain/id';
import { retryDelayMs } from '@/lib/domain/retry';
import type { EventPayload } from '@/lib/domain/run/event';
import type { RunInput } from '@/lib/domain/run/input';
import type { NextStep } from '@/lib/domain/run/next-step';
import { costMicroUsd } from '@/lib/domain/usage';
import { isBlank } from '@/lib/domain/visible';
import { withRecoveryIntent } from '@/lib/steering/recovery-intent';
import { isHeard, isStopped, type AgentRun } from './agent-run';
import { liveStream, type LiveStream } from './live-stream';
import type { ModelOutcome } from './ports';
import { proposeCall, type Proposal } from './propose-call';

type RequestStep = Extract<NextStep, { kind: 'request_model' }>;

export async function requestModel(run: AgentRun, step: RequestStep): Promise<void> {
  if (step.retryOf !== null) await waitBeforeRetry(run, step.retryOf);
  if (isStopped(run)) return;
  const requestId = run.entropy.newId('req');
  const { model } = run.recorder.state.settings;
  const intent = await run.recorder.record([{ type: 'request_model', requestId, purpose: step.purpose, model }]);
  // Stopped between the intent and the dial: nothing was asked, and whoever closes the run closes the request.
  if (!intent.ok || isStopped(run)) return;
  const outcome = await dial(run, requestId, model, step.purpose);
  await settle(run, requestId, outcome, step.purpose);
}

async function waitBeforeRetry(run: AgentRun, failure: EventPayload<'model.failed'>): Promise<void> {
  const { failedAttempts } = run.recorder.state;
  await run.clock.sleep(retryDelayMs(failure.retry_after_ms ?? 0, failedAttempts, run.entropy.random()), run.signal);
}

async function dial(run: AgentRun, requestId: RequestId, model: string, purpose: RequestStep['purpose']): Promise<ModelOutcome> {
  const { state, messages } = run.recorder;
  const streams = {
    text: deltaStream(run, requestId, 'text'),
    // A recovery attempt's reasoning is never published (domain.md §10).
    reasoning: purpose === 'recovery' ? null : deltaStream(run, requestId, 'reasoning'),
  };
  const left = tokensLeft(run);
  const outcome = await run.model.request({
    requestId,
    model,
    systemPrompt: run.systemPrompt,
    messages: purpose === 'recovery' ? withRecoveryIntent(messages) : messages,
    tools: run.tools.descriptions,
    ...(left === null ? {} : { maxOutputTokens: left }),
    taskRequestIndex: state.carried.settled_requests + state.settledRequests,
    signal: run.signal,
    onDelta: (delta) => streams[delta.kind]?.push(delta.text),
  });
  streams.text.end();
  streams.reasoning?.end();
  return outcome;
}

function deltaStream(run: AgentRun, request_id: RequestId, kind: 'text' | 'reasoning'): LiveStream {
  return liveStream(
    run.intake,
    () => isHeard(run),
    (text, offset) => run.publish({ type: 'model.delta', payload: { request_id, kind, offset, text } }),
  );
}

/** What a token limit leaves for the answer; null without a limit. */
function tokensLeft(run: AgentRun): number | null {
  const { settings, carried, usage } = run.recorder.state;
  return settings.limits.tokens === null ? null : Math.max(1, settings.limits.tokens - carried.tokens - usage.totalTokens);
}

async function settle(run: AgentRun, requestId: RequestId, outcome: ModelOutcome, purpose: RequestStep['purpose']): Promise<void> {
  const cost = costMicroUsd(outcome.usage, run.model.price(run.recorder.state.settings.model));
  const usage = { usage: outcome.usage, costMicroUsd: cost };
  if (outcome.kind === 'failed') {
    const { failure } = outcome;
    await run.recorder.record([
      {
        type: 'model_failed',
        requestId,
        failure: { ...failure, code: run.intake.text(failure.code), message: run.intake.text(failure.message) },
        partialText: run.intake.text(outcome.partialText),
        ...usage,
      },
    ]);
    return;
  }
  if (outcome.calls.length === 0 && outcome.finishReason !== 'length' && isBlank(outcome.text)) {
    await run.recorder.record([emptyResponse(requestId, outcome, usage)]);
    return;
  }
  const proposals = outcome.calls.map((call) => proposeCall(run, call));
  const runnable = proposals.filter(mayRun);
  for (const { call, original } of runnable) run.originals.set(call.callId, original);
  await run.recorder.record(
    [
      {
        type: 'model_responded',
        requestId,
        text: run.intake.text(outcome.text),
        ...(purpose === 'recovery' ? {} : { reasoning: run.intake.text(outcome.reasoning) }),
        calls: proposals.map(({ call }) => call),
        finishReason: outcome.finishReason,
        ...usage,
      },
    ],
    new Map(runnable.map(({ call, original }) => [call.callId, run.seal(original, call.callId)])),
  );
}

const mayRun = ({ call }: Proposal): boolean => call.decision.verdict === 'allow';

/** Reasoning alone is not a result, streaming or not (domain.md §10). Its usage is kept. */
function emptyResponse(
  requestId: RequestId,
  outcome: Extract<ModelOutcome, { kind: 'responded' }>,
  usage: Pick<Extract<RunInput, { type: 'model_failed' }>, 'usage' | 'costMicroUsd'>,
): RunInput {
  return {
    type: 'model_failed',
    requestId,
    failure: {
      class: 'empty_response',
      code: outcome.reasoning === '' ? 'empty' : 'reasoning_only',
      message: 'The provider answered without visible content and without a tool call.',
      retryable: true,
      ...(outcome.providerRequestId === undefined ? {} : { providerRequestId: outcome.providerRequestId }),
    },
    partialText: '',
    ...usage,
  };
}
