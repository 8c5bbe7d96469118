/**
 * Events become a timeline: one item a call, whatever number of events it took, under
 * the request that asked for it. Pure, and the same on the server and in the browser.
 */
import type { EventPayload, EventType, RunEvent } from '@/lib/domain/run/event';
import { nextCallStatus, type CallInput } from '@/lib/domain/tool-call';
import type { CallItem, MarkItem, MessageItem, RequestItem, TimelineGroup, TimelineItem, VerificationItem } from './timeline-item';

/** What is known of calls that were proposed before the first event shown. */
export type EarlierCalls = Readonly<Record<string, { readonly name: string }>>;

interface Place {
  readonly seq: number;
  readonly at: string;
  readonly lastSeq: number;
}

type Handlers = { readonly [T in EventType]: (draft: Draft, payload: EventPayload<T>, place: Place, event: RunEvent) => void };

/** It says nothing that another item does not say. */
const SILENT = (): void => undefined;
const MARK = (draft: Draft, _payload: unknown, place: Place, event: RunEvent): void => draft.mark({ kind: 'mark', ...place, event });

const HANDLERS: Handlers = {
  'command.accepted': SILENT,
  'run.queued': MARK,
  'run.started': MARK,
  'message.appended': (draft, { origin, text, objections }, place) =>
    draft.add({ kind: 'message', ...place, origin, text, objections: objections ?? [] } satisfies MessageItem),
  'model.requested': (draft, { request_id, model, purpose, attempt }, place) =>
    draft.open({ kind: 'request', ...place, requestId: request_id, model, purpose, attempt, response: null, failure: null, usage: null }),
  'model.responded': (draft, { request_id, text, reasoning, finish_reason }, place) =>
    draft.changeRequest(request_id, place, {
      response: { text: text ?? '', reasoning: reasoning ?? '', finishReason: finish_reason, seq: place.seq, at: place.at },
    }),
  'model.failed': (draft, payload, place) =>
    draft.changeRequest(payload.request_id, place, { failure: { ...payload, seq: place.seq, at: place.at } }),
  'usage.recorded': (draft, payload, place) => draft.changeRequest(payload.request_id, place, { usage: payload }),

  'tool.proposed': (draft, payload, place) =>
    draft.add({ ...emptyCall(payload.call_id, payload.name, place), arguments: payload.arguments, effect: payload.effect }),
  'tool.decided': (draft, payload, place) =>
    draft.changeCall(payload.call_id, payload.decision === 'deny' ? null : payload.decision, place, { decision: payload }),
  'tool.started': (draft, { call_id, effect }, place) => draft.changeCall(call_id, 'start', place, { effect, startedAt: place.at }),
  'tool.completed': (draft, { call_id, output, truncated, exit_code, diff }, place) =>
    draft.changeCall(call_id, 'complete', place, {
      endedAt: place.at,
      output,
      truncated,
      exitCode: exit_code ?? null,
      diff: diff ?? null,
    }),
  'tool.failed': (draft, { call_id, code, message, output, actor }, place) =>
    draft.changeCall(call_id, 'fail', place, { endedAt: place.at, error: { code, message }, output: output ?? null, actor: actor ?? null }),
  'tool.denied': (draft, { call_id, rule, reason, actor }, place) =>
    draft.changeCall(call_id, 'deny', place, { endedAt: place.at, error: { code: rule, message: reason ?? '' }, actor: actor ?? null }),
  'tool.withdrawn': (draft, { call_id, reason }, place) =>
    draft.changeCall(call_id, 'withdraw', place, { endedAt: place.at, error: { code: 'withdrawn', message: reason } }),
  'tool.unknown': (draft, { call_id, reason, output }, place) =>
    draft.changeCall(call_id, 'lose', place, { endedAt: place.at, error: { code: 'unknown', message: reason }, output: output ?? null }),

  'step.refused': MARK,
  'step.completed': MARK,
  'step.failed': MARK,
  'plan.updated': (draft, { call_id, items }, place) => draft.changeCall(call_id, null, place, { plan: items }),
  'blocker.reported': MARK,
  'budget.exhausted': MARK,
  'delivery.recorded': MARK,
  'verification.started': (draft, { command }, place) => draft.add({ kind: 'verification', ...place, command, result: null, endedAt: null }),
  'verification.completed': (draft, payload, place) => draft.changeVerification(payload, place),
  'run.waiting': MARK,
  'run.cancelling': MARK,
  'run.succeeded': MARK,
  'run.verification_failed': MARK,
  'run.blocked': MARK,
  'run.paused': MARK,
  'run.failed': MARK,
  'run.cancelled': MARK,
  'run.interrupted': MARK,
  'session.completed': SILENT,
};

/** Groups in the order of the log. Total: an event that does not fit the others is shown, never dropped. */
export function buildTimeline(events: readonly RunEvent[], earlier: EarlierCalls = {}): readonly TimelineGroup[] {
  const draft = new Draft(earlier);
  for (const event of events) {
    // A newer server may send what this page does not know.
    const handle = HANDLERS[event.type] as ((draft: Draft, payload: unknown, place: Place, event: RunEvent) => void) | undefined;
    (handle ?? MARK)(draft, event.payload, { seq: event.seq, at: event.timestamp, lastSeq: event.seq }, event);
  }
  return draft.groups();
}

const emptyCall = (callId: string, name: string, place: Place): CallItem => ({
  kind: 'call',
  ...place,
  callId,
  name,
  arguments: undefined,
  effect: undefined,
  status: 'proposed',
  decision: null,
  startedAt: null,
  endedAt: null,
  output: null,
  truncated: false,
  exitCode: null,
  diff: null,
  error: null,
  actor: null,
  plan: null,
});

/** Where a call stands when its own proposal is not among the events: only its way from there counts. */
const BEFORE: Readonly<Record<CallInput, CallItem['status']>> = {
  allow: 'proposed',
  ask: 'proposed',
  deny: 'waiting_for_approval',
  start: 'ready',
  complete: 'running',
  fail: 'running',
  lose: 'running',
  withdraw: 'ready',
};

interface DraftGroup {
  readonly key: string;
  request: RequestItem | null;
  readonly items: TimelineItem[];
}

class Draft {
  readonly #groups: DraftGroup[] = [];
  /** Of each call: its group and its place in it. */
  readonly #calls = new Map<string, { readonly group: DraftGroup; readonly index: number }>();
  readonly #requests = new Map<string, DraftGroup>();

  constructor(private readonly earlier: EarlierCalls) {}

  groups(): readonly TimelineGroup[] {
    return this.#groups;
  }

  open(request: RequestItem): void {
    const group: DraftGroup = { key: request.requestId, request, items: [] };
    this.#groups.push(group);
    this.#requests.set(request.requestId, group);
  }

  add(item: TimelineItem): void {
    const group = this.#latest();
    if (item.kind === 'call') this.#calls.set(item.callId, { group, index: group.items.length });
    group.items.push(item);
  }

  mark(item: MarkItem): void {
    this.add(item);
  }

  changeRequest(requestId: string, place: Place, change: Partial<RequestItem>): void {
    let group = this.#requests.get(requestId);
    if (group === undefined) {
      // Asked before the events that are shown.
      this.open({ kind: 'request', ...place, requestId, model: '', purpose: 'round', attempt: 1, response: null, failure: null, usage: null });
      group = this.#requests.get(requestId);
    }
    if (group?.request) group.request = { ...group.request, ...change, lastSeq: place.seq };
  }

  changeCall(callId: string, input: CallInput | null, place: Place, change: Partial<CallItem>): void {
    const known = this.#calls.get(callId);
    const before = known === undefined ? undefined : known.group.items[known.index];
    if (known === undefined || before?.kind !== 'call') {
      const stub = emptyCall(callId, this.earlier[callId]?.name ?? 'call', place);
      this.add(moved({ ...stub, status: input === null ? 'proposed' : BEFORE[input] }, input, change));
      return;
    }
    known.group.items[known.index] = moved(before, input, { ...change, lastSeq: place.seq });
  }

  changeVerification(result: VerificationItem['result'] & object, place: Place): void {
    for (const group of this.#groups.toReversed()) {
      const index = group.items.findLastIndex((item) => item.kind === 'verification' && item.result === null);
      const item = group.items[index];
      if (item?.kind !== 'verification') continue;
      group.items[index] = { ...item, result, endedAt: place.at, lastSeq: place.seq };
      return;
    }
    this.add({ kind: 'verification', ...place, command: result.command, result, endedAt: place.at });
  }

  #latest(): DraftGroup {
    const last = this.#groups.at(-1);
    if (last !== undefined) return last;
    const first: DraftGroup = { key: 'before', request: null, items: [] };
    this.#groups.push(first);
    return first;
  }
}

function moved(call: CallItem, input: CallInput | null, change: Partial<CallItem>): CallItem {
  // A policy's denial comes while the call is only proposed; `nextCallStatus` knows both ways.
  const status = input === null ? call.status : (nextCallStatus(call.status, input) ?? (input === 'allow' || input === 'ask' ? call.status : FINAL[input]));
  return { ...call, ...change, status };
}

const FINAL: Readonly<Record<Exclude<CallInput, 'allow' | 'ask'>, CallItem['status']>> = {
  deny: 'denied',
  start: 'running',
  complete: 'completed',
  fail: 'failed',
  lose: 'unknown',
  withdraw: 'withdrawn',
};
