/** What can be put before `decide`: commands from outside, and what the holder of the lease has seen. */
import type { Actor } from '../actor';
import type { BlockerReport } from '../blocker';
import type { Objection } from '../delivery';
import type { ProviderFailure } from '../failure';
import type { BlockerId, CallId, RequestId, RunId } from '../id';
import type { JsonValue } from '../json';
import type { MessageOrigin } from '../message';
import type { PlanItem, StepEvidence } from '../step';
import type { CallDecision } from '../policy';
import type { CallEffect } from '../tool-call';
import type { UsageReport } from '../usage';
import type { Completion } from './completion';
import type { EventPayload, RequestPurpose } from './event';
import type { QueuedFirst } from './state';
import type { PauseReason, WaitingReason } from './status';

/** Sums over the other runs of the same turn; the run's own come from its state. */
export interface OtherTotals {
  readonly usage: Completion['usage'];
  readonly tool_calls: Completion['tool_calls'];
  readonly effects: Completion['effects'];
  readonly writes_unknown: number;
  readonly writes_applied: boolean;
}

/** A call as proposed: arguments redacted, the policy's decision beside it. */
export interface ProposedCall {
  readonly callId: CallId;
  readonly providerCallId: string;
  readonly name: string;
  readonly arguments: JsonValue;
  /** As the model will be shown it again: redacted JSON text. */
  readonly argumentsText: string;
  readonly effect: CallEffect;
  readonly countsAsWrite: boolean;
  /** `ask` where nobody could answer: the call fails at once (domain.md §4). */
  readonly decision: CallDecision;
}

export type CallOutcome =
  | {
      readonly kind: 'completed';
      readonly output: string;
      readonly truncated: boolean;
      readonly exitCode?: number;
      readonly diff?: string;
      readonly changedPaths?: readonly string[];
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly output?: string; readonly actor?: Actor }
  | { readonly kind: 'unknown'; readonly reason: string; readonly output?: string }
  | { readonly kind: 'plan_updated'; readonly items: readonly PlanItem[] }
  | {
      readonly kind: 'step_ended';
      readonly success: boolean;
      readonly evidence: StepEvidence;
      readonly reason?: string;
      /** For each path of `evidence.files_changed`: does it differ from the turn's start? */
      readonly differing: ReadonlyMap<string, boolean | 'unknown'>;
    }
  | { readonly kind: 'blocker_reported'; readonly blockerId: BlockerId; readonly report: BlockerReport };

/** Why the driver ends a run; what the terminal says of it is decided from the state. */
export type EndReason =
  | { readonly kind: 'finished' }
  | { readonly kind: 'paused'; readonly reason: PauseReason; readonly message: string }
  | { readonly kind: 'provider_failed' }
  | { readonly kind: 'harness_failed'; readonly class: 'runtime' | 'persistence'; readonly code: string; readonly message: string };

export type RunInput =
  | {
      readonly type: 'submit';
      readonly commandId: string;
      readonly kind: 'submit' | 'resume' | 'continue';
      readonly actor: Actor;
      readonly first: QueuedFirst;
      /** The user's message; absent where a generation goes on without one. */
      readonly message?: { readonly origin: 'goal' | 'answer'; readonly text: string };
    }
  | { readonly type: 'claim'; readonly leaseEpoch: number; readonly worker: string }
  | { readonly type: 'release'; readonly reason: string }
  | { readonly type: 'wait'; readonly reason: WaitingReason }
  | { readonly type: 'wake' }
  | {
      readonly type: 'request_model';
      readonly requestId: RequestId;
      readonly purpose: RequestPurpose;
      readonly model: string;
    }
  | {
      readonly type: 'model_responded';
      readonly requestId: RequestId;
      readonly text: string;
      readonly reasoning?: string;
      readonly calls: readonly ProposedCall[];
      readonly finishReason: string;
      readonly usage: UsageReport;
      readonly costMicroUsd: number | null;
    }
  | {
      readonly type: 'model_failed';
      readonly requestId: RequestId;
      readonly failure: ProviderFailure;
      readonly partialText: string;
      readonly usage: UsageReport;
      readonly costMicroUsd: number | null;
    }
  | { readonly type: 'start_call'; readonly callId: CallId }
  | { readonly type: 'end_call'; readonly callId: CallId; readonly outcome: CallOutcome }
  | { readonly type: 'append_message'; readonly origin: MessageOrigin; readonly text: string; readonly objections?: readonly Objection[] }
  | { readonly type: 'record_delivery'; readonly verdict: 'accepted' | 'unresolved'; readonly objections: readonly Objection[] }
  | { readonly type: 'start_verification'; readonly command: string }
  | { readonly type: 'complete_verification'; readonly result: EventPayload<'verification.completed'> }
  | { readonly type: 'exhaust_budget'; readonly exhausted: EventPayload<'budget.exhausted'> }
  | { readonly type: 'end'; readonly reason: EndReason; readonly others: OtherTotals }
  | { readonly type: 'cancel'; readonly commandId: string; readonly by: Actor; readonly others: OtherTotals }
  | { readonly type: 'finish_cancel'; readonly others: OtherTotals }
  | { readonly type: 'expire_lease'; readonly others: OtherTotals; readonly continuesAs?: RunId };

export type RunInputType = RunInput['type'];
export type InputOf<T extends RunInputType> = Extract<RunInput, { type: T }>;
