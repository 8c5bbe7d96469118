/**
 * The fold (I13): state before + event → state after. Total over all events, pure,
 * and the same on the server, in the worker and in the browser (I14: it rebuilds
 * views and executes nothing).
 *
 * Over 150 lines because it is one table with an entry per event type.
 */
import { isCommand } from '../tool-name';
import { hasEnded, nextCallStatus, type CallInput } from '../tool-call';
import type { CallId, RequestId, RunId } from '../id';
import { addUsage, type UsageReport } from '../usage';
import type { EventPayload, EventType, RunEvent } from './event';
import { initialState, type OpenCall, type RunState } from './state';
import { isHeld } from './status';
import type { Terminal } from './terminal';

type Evolve = { readonly [T in EventType]: (state: RunState, payload: EventPayload<T>) => RunState };

const same = (state: RunState): RunState => state;

/** Raises the number under `key` by one. */
const bump = <T extends Record<K, number>, K extends keyof T>(record: T, key: K): T => ({ ...record, [key]: record[key] + 1 });

/** Moves one open call; a call whose move is impossible stays, since a log is folded, not judged. */
function moveCall(state: RunState, callId: string, input: CallInput): RunState {
  const calls = state.calls.flatMap((call): OpenCall[] => {
    if (call.callId !== callId) return [call];
    const status = nextCallStatus(call.status, input) ?? call.status;
    return hasEnded(status) ? [] : [{ ...call, status }];
  });
  return { ...state, calls };
}

type Outcome = 'completed' | 'failed' | 'denied' | 'unknown' | 'withdrawn';
const ENDING: Readonly<Record<Outcome, CallInput>> = {
  completed: 'complete',
  failed: 'fail',
  denied: 'deny',
  unknown: 'lose',
  withdrawn: 'withdraw',
};

/** What every outcome changes: the tally, the edits, the last effect. */
function endCall(state: RunState, callId: string, outcome: Outcome): RunState {
  const call = state.calls.find((open) => open.callId === callId);
  const moved = { ...moveCall(state, callId, ENDING[outcome]), tally: bump(state.tally, outcome) };
  if (call === undefined) return moved;
  const unknownCalls = outcome === 'unknown' ? [...state.unknownCalls, call.callId] : state.unknownCalls;
  if (call.effect === 'none' || outcome === 'withdrawn') return { ...moved, unknownCalls };
  return {
    ...moved,
    unknownCalls,
    unknownEffects: outcome === 'unknown' ? [...state.unknownEffects, call.callId] : state.unknownEffects,
    lastEffect: { callId: call.callId, name: call.name, outcome },
    edits: call.countsAsWrite ? countEdit(state.edits, outcome) : state.edits,
  };
}

function countEdit(edits: RunState['edits'], outcome: Outcome): RunState['edits'] {
  const attempted = bump(edits, 'attempted');
  if (outcome === 'completed') return bump(attempted, 'succeeded');
  return outcome === 'unknown' ? bump(attempted, 'unknown') : attempted;
}

function end(state: RunState, terminal: Terminal): RunState {
  return { ...state, status: terminal.status, terminal, waitingFor: null };
}

/** The usage report that an event carries. */
export function usageOf(payload: EventPayload<'usage.recorded'>): UsageReport {
  const { state, input_tokens, output_tokens, cached_tokens, reasoning_tokens } = payload;
  if (state === 'unknown' || input_tokens === null || output_tokens === null) {
    return { state: 'unknown', reason: payload.reason ?? 'not reported' };
  }
  return {
    state,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cachedTokens: cached_tokens ?? 0,
    reasoningTokens: reasoning_tokens ?? 0,
  };
}

const union = (paths: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((path) => paths.includes(path)) ? paths : [...new Set([...paths, ...more])];

/** A recovery attempt that we aborted ourselves was none: the next owner may still make it. */
function afterFailure(state: RunState, empty: boolean, aborted: boolean): RunState['recovery'] {
  if (aborted) return state.openRequest?.purpose === 'recovery' ? 'due' : state.recovery;
  return empty && state.recovery === 'none' ? 'due' : state.recovery;
}

const isEdit = (state: RunState, callId: string): boolean =>
  state.calls.some((call) => call.callId === callId && call.countsAsWrite);

const EVOLVE: Evolve = {
  'command.accepted': same,
  'run.queued': (state) => ({ ...state, status: 'queued', waitingFor: null }),
  'run.started': (state, payload) => ({ ...state, status: 'running', leaseEpoch: payload.lease_epoch }),
  'run.waiting': (state, payload) => ({ ...state, status: 'waiting', waitingFor: payload.reason }),
  'run.cancelling': (state, payload) => ({ ...state, status: 'cancelling', cancelledBy: payload.by }),

  'message.appended': (state, payload) => ({
    ...state,
    answer: null,
    truncationUnanswered: false,
    objectionsReported: payload.objections === undefined ? state.objectionsReported : [...(state.objectionsReported ?? []), ...payload.objections],
  }),

  'model.requested': (state, payload) => ({
    ...state,
    openRequest: { requestId: payload.request_id as RequestId, purpose: payload.purpose, model: payload.model },
    recovery: payload.purpose === 'recovery' ? 'tried' : state.recovery,
  }),
  'model.responded': (state, payload) => {
    const cut = payload.finish_reason === 'length';
    return {
      ...state,
      openRequest: null,
      rounds: state.rounds + 1,
      settledRequests: state.settledRequests + 1,
      failedAttempts: 0,
      lastFailure: null,
      recovery: 'none',
      truncations: cut ? state.truncations + 1 : 0,
      truncationUnanswered: cut,
      answer: !cut && payload.tool_calls.length === 0 ? (payload.text ?? '') : null,
    };
  },
  'model.failed': (state, payload) => {
    const empty = payload.class === 'empty_response';
    const aborted = payload.class === 'aborted';
    return {
      ...state,
      openRequest: null,
      settledRequests: state.settledRequests + (aborted ? 0 : 1),
      failedAttempts: state.failedAttempts + (aborted || empty ? 0 : 1),
      lastFailure: aborted ? state.lastFailure : payload,
      recovery: afterFailure(state, empty, aborted),
    };
  },
  'usage.recorded': (state, payload) => ({ ...state, usage: addUsage(state.usage, usageOf(payload), payload.cost_micro_usd) }),
  'budget.exhausted': (state, payload) => ({ ...state, budgetExhausted: payload }),

  'tool.proposed': (state, payload) => ({
    ...state,
    calls: [
      ...state.calls,
      {
        callId: payload.call_id as CallId,
        requestId: payload.request_id as RequestId,
        providerCallId: payload.provider_call_id,
        name: payload.name,
        effect: payload.effect,
        countsAsWrite: payload.counts_as_write,
        status: 'proposed',
      },
    ],
  }),
  'tool.decided': (state, payload) => (payload.decision === 'deny' ? state : moveCall(state, payload.call_id, payload.decision)),
  'tool.started': (state, payload) => {
    const moved = moveCall(state, payload.call_id, 'start');
    if (payload.effect !== 'external') return moved;
    const name = state.calls.find((call) => call.callId === payload.call_id)?.name ?? '';
    return { ...moved, effects: bump(state.effects, isCommand(name) ? 'commands' : 'external') };
  },
  'tool.completed': (state, payload) => {
    const ended = endCall(state, payload.call_id, 'completed');
    return { ...ended, changedPaths: union(ended.changedPaths, payload.changed_paths ?? []) };
  },
  'tool.failed': (state, payload) => {
    const ended = endCall(state, payload.call_id, 'failed');
    // With an actor it is the harness's word that nobody approved; without one it is a tool's own error.
    const unapproved = payload.code === 'permission_denied' && payload.actor !== undefined;
    return unapproved && isEdit(state, payload.call_id) ? bump(ended, 'approvalRefusals') : ended;
  },
  'tool.denied': (state, payload) => {
    const ended = endCall(state, payload.call_id, 'denied');
    // Only a person's refusal counts towards `failed(approval)`; a policy's leaves the run unresolved (contract.md §3).
    return payload.actor !== undefined && isEdit(state, payload.call_id) ? bump(ended, 'approvalRefusals') : ended;
  },
  'tool.withdrawn': (state, payload) => endCall(state, payload.call_id, 'withdrawn'),
  'tool.unknown': (state, payload) => endCall(state, payload.call_id, 'unknown'),

  'plan.updated': (state, payload) => ({ ...state, plan: payload.items }),
  'step.refused': same,
  'step.completed': (state) => ({
    ...state,
    step: { status: 'completed', editsAttempted: state.edits.attempted, unknownEffects: state.unknownEffects.length },
  }),
  'step.failed': (state, payload) => ({ ...state, step: { status: 'failed', reason: payload.reason } }),
  'blocker.reported': (state, { call_id: _call, ...blocker }) => ({ ...state, blocker }),

  'delivery.recorded': (state, payload) => ({ ...state, answer: null, delivery: payload }),
  'verification.started': (state, payload) => ({ ...state, verification: { status: 'running', command: payload.command } }),
  'verification.completed': (state, payload) => ({ ...state, verification: { status: 'done', result: payload } }),

  'run.succeeded': (state) => end(state, { status: 'succeeded' }),
  'run.verification_failed': (state, payload) => end(state, { status: 'verification_failed', ...payload }),
  'run.blocked': (state, payload) => end(state, { status: 'blocked', ...payload }),
  'run.paused': (state, payload) => end(state, { status: 'paused', ...payload }),
  'run.failed': (state, payload) => end(state, { status: 'failed', ...payload }),
  'run.cancelled': (state, payload) => end(state, { status: 'cancelled', ...payload }),
  'run.interrupted': (state, payload) => end(state, { status: 'interrupted', ...payload }),
  'session.completed': (state) => ({ ...state, atRest: true }),
};

/** Events that are still being decided have no timestamp yet: they move the state, not its worked time. */
export type FoldedEvent = Pick<RunEvent, 'type' | 'payload' | 'seq'> & { readonly timestamp?: string };

/** Time under a lease; waiting does not count. Both ends are the database's clock. */
function timed(before: RunState, next: RunState, timestamp: string | undefined): RunState {
  if (timestamp === undefined || isHeld(before.status) === isHeld(next.status)) return next;
  const at = Date.parse(timestamp);
  if (isHeld(next.status)) return { ...next, heldSince: at };
  return next.heldSince === null ? next : { ...next, workedMs: next.workedMs + Math.max(0, at - next.heldSince), heldSince: null };
}

/** @throws Error when a log does not begin with what a run was submitted with. */
export function evolve(state: RunState | null, runId: RunId, event: FoldedEvent): RunState | null {
  if (state === null) {
    if (event.type === 'command.accepted') return null;
    if (event.type !== 'run.queued') throw new Error(`the log of ${runId} begins with ${event.type}`);
    const payload = event.payload as EventPayload<'run.queued'>;
    if (!('settings' in payload)) throw new Error(`the log of ${runId} begins in the middle`);
    return initialState(runId, payload, event.seq);
  }
  const apply = EVOLVE[event.type] as (state: RunState, payload: unknown) => RunState;
  return timed(state, { ...apply(state, event.payload), seq: event.seq }, event.timestamp);
}

/** Folds a run's log from its first event. */
export function fold(runId: RunId, events: Iterable<RunEvent>): RunState | null {
  let state: RunState | null = null;
  for (const event of events) state = evolve(state, runId, event);
  return state;
}
