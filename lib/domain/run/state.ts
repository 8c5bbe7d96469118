/** What a run's log says so far: the fold's result (I13). Every field is derived from events, and from nothing else. */
import type { Objection } from '../delivery';
import type { CallId, ProjectId, RequestId, RunId, SessionId, TaskId, TurnId } from '../id';
import type { PlanItem } from '../step';
import type { CallEffect, CallStatus } from '../tool-call';
import { NO_USAGE, type UsageTotals } from '../usage';
import type { EventPayload, RequestPurpose } from './event';
import { NOTHING_CARRIED, type Carried } from './event';
import type { RunSettings } from './settings';
import type { RunStatus, WaitingReason } from './status';
import type { Terminal } from './terminal';

export interface OpenRequest {
  readonly requestId: RequestId;
  readonly purpose: RequestPurpose;
  readonly model: string;
}

/** A call that has no outcome yet. */
export interface OpenCall {
  readonly callId: CallId;
  readonly requestId: RequestId;
  readonly providerCallId: string;
  readonly name: string;
  readonly effect: CallEffect;
  readonly countsAsWrite: boolean;
  readonly status: CallStatus;
}

export interface CallTally {
  readonly completed: number;
  readonly failed: number;
  readonly denied: number;
  readonly unknown: number;
  readonly withdrawn: number;
}

export interface LastEffect {
  readonly callId: CallId;
  readonly name: string;
  readonly outcome: 'completed' | 'failed' | 'denied' | 'unknown';
}

export type StepState =
  | { readonly status: 'open' }
  /** With what the record showed when the evidence was accepted: that, and nothing later, falls by it. */
  | { readonly status: 'completed'; readonly editsAttempted: number; readonly unknownEffects: number }
  | { readonly status: 'failed'; readonly reason: string };

export type VerificationState =
  | { readonly status: 'none' }
  | { readonly status: 'running'; readonly command: string }
  | { readonly status: 'done'; readonly result: EventPayload<'verification.completed'> };

export interface RunState {
  readonly runId: RunId;
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly turnNumber: number;
  readonly taskId: TaskId;
  readonly generation: number;
  readonly settings: RunSettings;
  readonly carried: Carried;

  readonly status: RunStatus;
  readonly waitingFor: WaitingReason | null;
  readonly leaseEpoch: number;
  readonly seq: number;
  readonly cancelledBy: string | null;
  readonly terminal: Terminal | null;
  readonly atRest: boolean;

  /** Settled model responses: what limits and stalls count (domain.md §2, Round). */
  readonly rounds: number;
  readonly settledRequests: number;
  readonly openRequest: OpenRequest | null;
  /** Failed attempts since the last response. */
  readonly failedAttempts: number;
  readonly lastFailure: EventPayload<'model.failed'> | null;
  /** `due`: the last response was empty, one recovery may be tried; `tried`: it was, in this round. */
  readonly recovery: 'none' | 'due' | 'tried';
  /** Cut responses (`length`) in a row. */
  readonly truncations: number;
  readonly truncationUnanswered: boolean;

  readonly calls: readonly OpenCall[];
  readonly unknownCalls: readonly CallId[];
  /** Of the unknown calls, those with an effect: a hard objection until somebody states what is known. */
  readonly unknownEffects: readonly CallId[];
  readonly tally: CallTally;
  readonly edits: Carried['edits'];
  readonly effects: { readonly commands: number; readonly external: number };
  /** Edits of this turn that were not made because an approval was denied, expired or could not be asked. */
  readonly approvalRefusals: number;
  readonly changedPaths: readonly string[];
  readonly lastEffect: LastEffect | null;

  readonly plan: readonly PlanItem[];
  readonly step: StepState;
  readonly blocker: EventPayload<'run.blocked'>['blocker'] | null;
  /** A plain-text answer that has not been weighed yet. */
  readonly answer: string | null;
  readonly objectionsReported: readonly Objection[] | null;
  readonly delivery: EventPayload<'delivery.recorded'> | null;
  readonly verification: VerificationState;
  readonly budgetExhausted: EventPayload<'budget.exhausted'> | null;

  readonly usage: UsageTotals;

  /** Time under leases that have ended, in ms. */
  readonly workedMs: number;
  /** When the present lease began, in ms since the epoch by the database's clock. */
  readonly heldSince: number | null;
}

export type QueuedFirst = Extract<EventPayload<'run.queued'>, { settings: RunSettings }>;

export function initialState(runId: RunId, first: QueuedFirst, seq: number): RunState {
  return {
    runId,
    projectId: first.project_id as ProjectId,
    sessionId: first.session_id as SessionId,
    turnId: first.turn_id as TurnId,
    turnNumber: first.turn_number,
    taskId: first.task_id as TaskId,
    generation: first.generation,
    settings: first.settings,
    carried: first.carried,
    status: 'queued',
    waitingFor: null,
    leaseEpoch: 0,
    seq,
    cancelledBy: null,
    terminal: null,
    atRest: false,
    rounds: 0,
    settledRequests: 0,
    openRequest: null,
    failedAttempts: 0,
    lastFailure: null,
    recovery: 'none',
    truncations: 0,
    truncationUnanswered: false,
    calls: [],
    unknownCalls: [],
    unknownEffects: [],
    tally: { completed: 0, failed: 0, denied: 0, unknown: 0, withdrawn: 0 },
    edits: first.carried.edits,
    effects: { commands: 0, external: 0 },
    approvalRefusals: first.carried.approval_refusals,
    changedPaths: first.carried.changed_paths,
    lastEffect: null,
    plan: first.carried.plan,
    step: takenUp(first.carried),
    blocker: null,
    answer: null,
    objectionsReported: null,
    delivery: null,
    verification: { status: 'none' },
    budgetExhausted: null,
    usage: NO_USAGE,
    workedMs: 0,
    heldSince: null,
  };
}

function takenUp({ step_completed }: Carried): StepState {
  return step_completed === null
    ? { status: 'open' }
    : { status: 'completed', editsAttempted: step_completed.edits_attempted, unknownEffects: 0 };
}

/** What the next generation of the same turn goes on from. */
export function carry(state: RunState): Carried {
  return {
    settled_requests: state.carried.settled_requests + state.settledRequests,
    edits: state.edits,
    approval_refusals: state.approvalRefusals,
    step_completed: state.step.status === 'completed' ? { edits_attempted: state.step.editsAttempted } : null,
    changed_paths: [...state.changedPaths],
    plan: [...state.plan],
    tokens: state.carried.tokens + state.usage.totalTokens,
    cost_micro_usd: state.carried.cost_micro_usd + state.usage.costMicroUsd,
  };
}

/** What a new turn of the same task goes on from: only its place in the conversation. */
export function carryToNewTurn(state: RunState): Carried {
  return { ...NOTHING_CARRIED, settled_requests: state.carried.settled_requests + state.settledRequests };
}
