/**
 * A random next input for a run: mostly what a driver would put, sometimes what it
 * never should: inputs of other states, ids that are closed, duplicates.
 */
import type { CallId, RequestId } from '@/lib/domain/id';
import { PROVIDER_FAILURE_CLASSES } from '@/lib/domain/failure';
import type { Objection } from '@/lib/domain/delivery';
import type { EventPayload } from '@/lib/domain/run/event';
import type { EndReason, InputOf, CallOutcome, OtherTotals, ProposedCall, RunInput, RunInputType } from '@/lib/domain/run/input';
import type { Limits } from '@/lib/domain/run/settings';
import type { QueuedFirst, RunState } from '@/lib/domain/run/state';
import { PAUSE_REASONS, WAITING_REASONS } from '@/lib/domain/run/status';
import { CALL_EFFECTS } from '@/lib/domain/tool-call';
import type { UsageReport } from '@/lib/domain/usage';
import { call, CLAIM, firstOf, submit } from './play-run';
import type { Random } from './random';

type Makers = { readonly [T in RunInputType]: (random: Random, state: RunState | null, others: OtherTotals) => InputOf<T> };

/** Part of an id: of the seed, like everything else here. */
const fresh = (random: Random): string => `${random.int(2 ** 30).toString(36)}${random.int(2 ** 30).toString(36)}`;

export function randomFirst(random: Random): QueuedFirst {
  const limit = (): number | null => (random.chance(0.2) ? 1 + random.int(50) : null);
  const limits: Limits = { rounds: limit(), tool_calls: limit(), wall_seconds: limit(), tokens: limit(), cost_micro_usd: limit() };
  return firstOf(
    { verifier: random.chance(0.4) ? 'npm test' : null, resumable: random.chance(0.5), limits },
    random.chance(0.3) ? { edits: { attempted: 3, succeeded: random.int(2), unknown: 1 }, tokens: random.int(100), settled_requests: 2 } : {},
  );
}

function randomUsage(random: Random): Pick<InputOf<'model_failed'>, 'usage' | 'costMicroUsd'> {
  const counts = { inputTokens: 10 + random.int(1_000), outputTokens: random.int(100), cachedTokens: random.int(10), reasoningTokens: random.int(10) };
  const usage: UsageReport = random.chance(0.25)
    ? { state: 'unknown', reason: 'no report' }
    : { state: random.chance(0.2) ? 'estimated' : 'known', ...counts };
  return { usage, costMicroUsd: random.chance(0.2) ? null : random.int(500) };
}

function randomCall(random: Random): ProposedCall {
  const effect = random.pick(CALL_EFFECTS);
  return call(`w${fresh(random)}`, {
    name: effect === 'external' ? random.pick(['run_command', 'mcp_tool']) : effect === 'workspace' ? 'edit' : 'read_file',
    effect,
    countsAsWrite: effect === 'workspace',
    decision: { verdict: random.pick(['allow', 'allow', 'allow', 'allow', 'deny', 'ask']), rule: 'random' },
  });
}

function randomOutcome(random: Random): CallOutcome {
  return random.pick<() => CallOutcome>([
    () => ({ kind: 'completed', output: 'ok', truncated: false, changedPaths: [`f${random.int(3)}`] }),
    () => ({ kind: 'completed', output: 'ok', truncated: true, exitCode: random.int(3), diff: '+x' }),
    () => ({ kind: 'failed', code: 'no_match', message: 'no', ...(random.chance(0.5) ? { output: 'some' } : {}) }),
    () => ({ kind: 'unknown', reason: 'lost', ...(random.chance(0.5) ? { output: 'some' } : {}) }),
    () => ({ kind: 'plan_updated', items: [{ text: 'a', status: random.pick(['pending', 'completed']) }] }),
    () => ({
      kind: 'step_ended',
      success: random.chance(0.7),
      evidence: { summary: random.pick(['', 'done']), files_changed: random.chance(0.5) ? [] : [`f${random.int(3)}`] },
      differing: new Map([['f0', random.chance(0.5)]]),
    }),
    () =>
      random.chance(0.3)
        ? { kind: 'blocker_reported', blockerId: `blk_${fresh(random)}`, report: { kind: 'user_decision', summary: 'which?', evidence: [] } }
        : { kind: 'completed', output: '', truncated: false },
  ])();
}

const callIdOf = (random: Random, state: RunState | null): CallId => {
  const [first, ...rest] = state?.calls ?? [];
  return first === undefined || random.chance(0.1) ? 'call_closed' : random.pick([first, first, ...rest]).callId;
};
const requestIdOf = (random: Random, state: RunState | null): RequestId =>
  state?.openRequest && random.chance(0.9) ? state.openRequest.requestId : 'req_closed';

const OBJECTIONS: readonly [readonly Objection[], ...(readonly Objection[])[]] = [
  [],
  [{ severity: 'soft', code: 'plan_open', items: ['a'] }],
  [{ severity: 'hard', code: 'no_edit_succeeded', attempted: 1 }],
];
const EMPTINESS: readonly [string, ...string[]] = ['all done', 'all done', 'all done', '', '\u200b'];

const MAKERS: Makers = {
  submit: (random) => submit(randomFirst(random)),
  claim: (_random, state) => ({ ...CLAIM, leaseEpoch: (state?.leaseEpoch ?? 0) + 1 }),
  release: () => ({ type: 'release', reason: 'worker_stopping' }),
  wait: (random) => ({ type: 'wait', reason: random.pick(WAITING_REASONS) }),
  wake: () => ({ type: 'wake' }),
  request_model: (random) => ({ type: 'request_model', requestId: `req_${fresh(random)}`, purpose: random.pick(['round', 'round', 'recovery']), model: 'm' }),
  model_responded: (random, state) => ({
    type: 'model_responded',
    requestId: requestIdOf(random, state),
    text: random.pick(EMPTINESS),
    ...(random.chance(0.3) ? { reasoning: 'hm' } : {}),
    calls: Array.from({ length: random.int(4) }, () => randomCall(random)),
    finishReason: random.pick(['stop', 'tool_calls', 'tool_calls', 'length', 'unknown']),
    ...randomUsage(random),
  }),
  model_failed: (random, state) => ({
    type: 'model_failed',
    requestId: requestIdOf(random, state),
    failure: { class: random.pick(PROVIDER_FAILURE_CLASSES), code: 'c', message: 'm', retryable: random.chance(0.8) },
    partialText: random.pick(['', 'some']),
    ...randomUsage(random),
  }),
  start_call: (random, state) => ({ type: 'start_call', callId: callIdOf(random, state) }),
  end_call: (random, state) => ({ type: 'end_call', callId: callIdOf(random, state), outcome: randomOutcome(random) }),
  append_message: (random) => ({ type: 'append_message', origin: random.pick(['report', 'notice']), text: 'go on', objections: random.pick(OBJECTIONS) }),
  record_delivery: (random) => ({ type: 'record_delivery', verdict: random.pick(['accepted', 'accepted', 'unresolved']), objections: random.pick(OBJECTIONS) }),
  start_verification: () => ({ type: 'start_verification', command: 'npm test' }),
  complete_verification: (random) => ({
    type: 'complete_verification',
    result: random.pick<EventPayload<'verification.completed'>>([
      { command: 'npm test', success: true, exit_code: 0, stdout: '', stderr: '' },
      { command: 'npm test', success: false, exit_code: 1, stdout: '', stderr: 'x' },
      { command: 'npm test', success: null, exit_code: null, stdout: '', stderr: '', reason: 'no sandbox' },
    ]),
  }),
  exhaust_budget: () => ({ type: 'exhaust_budget', exhausted: { limit: 'tokens', allowed: 10, used: 11, over_by: 1 } }),
  end: (random, _state, others) => ({
    type: 'end',
    others,
    reason: random.pick<EndReason>([
      { kind: 'finished' },
      { kind: 'finished' },
      { kind: 'paused', reason: random.pick(PAUSE_REASONS), message: 'enough' },
      { kind: 'provider_failed' },
      { kind: 'harness_failed', class: 'runtime', code: 'x', message: 'x' },
    ]),
  }),
  cancel: (random, _state, others) => ({ type: 'cancel', commandId: `cmd_${fresh(random)}`, by: random.pick(['local', 'signal:SIGINT', 'signal:SIGTERM']), others }),
  finish_cancel: (_random, _state, others) => ({ type: 'finish_cancel', others }),
  expire_lease: (random, _state, others) => ({ type: 'expire_lease', others, ...(random.chance(0.5) ? { continuesAs: 'run_next' } : {}) }),
};
const TYPES = Object.keys(MAKERS) as [RunInputType, ...RunInputType[]];

/** What a driver, or somebody outside, might put now. */
function plausible(random: Random, state: RunState): RunInputType {
  // At every boundary anything may come in: a cancel, a dead worker, a stopping one.
  if (random.chance(0.04)) return random.pick(['cancel', 'cancel', 'expire_lease', 'release', 'finish_cancel']);
  if (state.status === 'queued') return random.pick(['claim', 'claim', 'claim', 'cancel']);
  if (state.status === 'waiting') return 'wake';
  if (state.status === 'cancelling') return random.pick(['end_call', 'model_responded', 'model_failed', 'finish_cancel', 'cancel']);
  if (state.openRequest !== null) return random.pick(['model_responded', 'model_responded', 'model_responded', 'model_failed']);
  if (state.calls.length > 0) return random.pick(['start_call', 'end_call']);
  if (state.blocker !== null || state.verification.status === 'done') return 'end';
  if (state.verification.status === 'running') return 'complete_verification';
  if (state.delivery !== null) return state.settings.verifier === null ? 'end' : 'start_verification';
  if (state.answer !== null) return random.pick(['record_delivery', 'append_message']);
  return random.chance(0.1) ? random.pick(['append_message', 'wait', 'exhaust_budget', 'end', 'start_verification']) : 'request_model';
}

export function randomInput(random: Random, state: RunState | null, others: OtherTotals): RunInput {
  const type = random.chance(0.1) ? random.pick(TYPES) : state === null ? 'submit' : plausible(random, state);
  return MAKERS[type](random, state, others);
}
