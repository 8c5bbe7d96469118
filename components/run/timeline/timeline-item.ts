/** What a timeline shows, one kind an item; made of events by `buildTimeline`. */
import type { JsonValue } from '@/lib/domain/json';
import type { EventPayload, RunEvent, RequestPurpose } from '@/lib/domain/run/event';
import type { PlanItem } from '@/lib/domain/step';
import type { CallEffect, CallStatus } from '@/lib/domain/tool-call';

interface Placed {
  /** Of the event that began it; what its address names. */
  readonly seq: number;
  readonly at: string;
  /** Of the last event that became part of it. */
  readonly lastSeq: number;
}

export interface CallItem extends Placed {
  readonly kind: 'call';
  readonly callId: string;
  readonly name: string;
  /** undefined where the call was proposed before the events that are shown. */
  readonly arguments: JsonValue | undefined;
  readonly effect: CallEffect | undefined;
  readonly status: CallStatus;
  readonly decision: EventPayload<'tool.decided'> | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly output: string | null;
  readonly truncated: boolean;
  readonly exitCode: number | null;
  readonly diff: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly actor: string | null;
  /** What the plan became by it. */
  readonly plan: readonly PlanItem[] | null;
}

/** A request to the model and what came of it. */
export interface RequestItem extends Placed {
  readonly kind: 'request';
  readonly requestId: string;
  readonly model: string;
  readonly purpose: RequestPurpose;
  readonly attempt: number;
  /** Rounds before it among the events that are shown, and whether that counts from the run's beginning. */
  readonly response: { readonly text: string; readonly reasoning: string; readonly finishReason: string; readonly seq: number; readonly at: string } | null;
  readonly failure: (EventPayload<'model.failed'> & { readonly at: string; readonly seq: number }) | null;
  readonly usage: EventPayload<'usage.recorded'> | null;
}

export interface MessageItem extends Placed {
  readonly kind: 'message';
  readonly origin: EventPayload<'message.appended'>['origin'];
  readonly text: string;
  readonly objections: NonNullable<EventPayload<'message.appended'>['objections']>;
}

export interface VerificationItem extends Placed {
  readonly kind: 'verification';
  readonly command: string;
  readonly result: EventPayload<'verification.completed'> | null;
  readonly endedAt: string | null;
}

/** Anything else, in its own words. */
export interface MarkItem extends Placed {
  readonly kind: 'mark';
  readonly event: RunEvent;
}

export type TimelineItem = CallItem | RequestItem | MessageItem | VerificationItem | MarkItem;

/** One request and what it led to; null is what stands before the first one. */
export interface TimelineGroup {
  readonly key: string;
  readonly request: RequestItem | null;
  readonly items: readonly TimelineItem[];
}

/** What a person looks for when something went wrong. */
export function isFailure(item: TimelineItem): boolean {
  switch (item.kind) {
    case 'call':
      return item.status === 'failed' || item.status === 'denied' || item.status === 'unknown' || (item.exitCode !== null && item.exitCode !== 0);
    case 'request':
      return item.failure !== null;
    case 'verification':
      return item.result !== null && item.result.success !== true;
    case 'message':
      return item.objections.length > 0;
    case 'mark':
      return FAILING_MARKS.has(item.event.type);
  }
}

const FAILING_MARKS: ReadonlySet<RunEvent['type']> = new Set([
  'run.failed',
  'run.verification_failed',
  'run.interrupted',
  'run.blocked',
  'run.paused',
  'step.failed',
  'step.refused',
  'budget.exhausted',
]);
