/**
 * The rows that a transition's events make: pure, so that the log and the tables
 * beside it cannot say different things (I2, I13).
 *
 * Names are short, because every row travels as JSON; they are the column names of
 * the record sets in transition-statement.ts.
 */
import type { CallId, RunId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import { evolve } from '@/lib/domain/run/evolve';
import { messageOf } from '@/lib/domain/run/conversation';
import type { EventPayload, RunEventBody } from '@/lib/domain/run/event';
import type { RunState } from '@/lib/domain/run/state';
import { exitCodeOf, terminalToWire, type Terminal } from '@/lib/domain/run/terminal';
import type { CallStatus } from '@/lib/domain/tool-call';
import type { SealedCall } from './transition';

export interface EventRow {
  readonly run: string;
  readonly seq: number;
  readonly type: string;
  readonly payload: unknown;
}
export interface MessageRow {
  readonly run: string;
  readonly seq: number;
  readonly role: string;
  readonly content: unknown;
}
export interface RequestRow {
  readonly run: string;
  readonly id: string;
  /** Null where the request is already stored and only ends here. */
  readonly purpose: string | null;
  readonly model: string | null;
  readonly attempt: number | null;
  readonly status: 'open' | 'responded' | 'failed';
  readonly class: string | null;
  readonly code: string | null;
}
export interface CallRow {
  readonly run: string;
  readonly id: string;
  readonly status: CallStatus;
  readonly code: string | null;
  readonly started: boolean;
  readonly ended: boolean;
  /** Null where the call is already stored and only changes here. */
  readonly proposed: {
    readonly request: string;
    readonly provider: string;
    readonly name: string;
    readonly arguments: JsonValue;
    readonly effect: string;
    readonly counts: boolean;
    /** Hexadecimal; null once the call has ended. */
    readonly sealed: string | null;
    readonly hash: string | null;
  } | null;
}
export interface UsageRow {
  readonly run: string;
  readonly request: string;
  readonly model: string;
  readonly state: string;
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  readonly reasoning: number | null;
  readonly cost: number | null;
}
/** What the run's own row becomes. */
export interface RunFields {
  readonly seq: number;
  readonly status: string;
  readonly waiting: string | null;
  readonly terminal: unknown;
  readonly exit: number | null;
  readonly completion: unknown;
}

export interface ProjectedRows {
  readonly run: RunFields;
  readonly events: readonly EventRow[];
  readonly messages: readonly MessageRow[];
  readonly requests: readonly RequestRow[];
  readonly calls: readonly CallRow[];
  readonly usage: readonly UsageRow[];
  /** By how much the task's write count rises. */
  readonly writes: number;
}

export interface Happened {
  readonly runId: RunId;
  /** Null at the run's birth. */
  readonly before: RunState | null;
  readonly after: RunState;
  readonly events: readonly RunEventBody[];
  readonly sealed?: ReadonlyMap<CallId, SealedCall>;
}

/**
 * Events take the places after `before.seq`.
 * @throws Error when `after` is not where the events lead: such a transition must not be stored.
 */
export function projectRows(happened: Happened): ProjectedRows {
  const rows = new Rows(happened);
  let state = happened.before;
  let seq = state?.seq ?? 0;
  for (const event of happened.events) {
    seq += 1;
    rows.add(event, seq, state);
    state = evolve(state, happened.runId, { ...event, seq });
  }
  const { after } = happened;
  if (state === null || state.seq !== after.seq || state.status !== after.status) {
    throw new Error(`the events of ${happened.runId} do not lead to the state that was given with them`);
  }
  return rows.done(after);
}

type CallDraft = { -readonly [K in keyof CallRow]: CallRow[K] };

const ENDING: Partial<Record<RunEventBody['type'], CallStatus>> = {
  'tool.completed': 'completed',
  'tool.failed': 'failed',
  'tool.denied': 'denied',
  'tool.withdrawn': 'withdrawn',
  'tool.unknown': 'unknown',
};

class Rows {
  private readonly events: EventRow[] = [];
  private readonly messages: MessageRow[] = [];
  private readonly requests = new Map<string, RequestRow>();
  private readonly calls = new Map<string, CallDraft>();
  private readonly usage: UsageRow[] = [];
  private completion: EventPayload<'session.completed'> | null = null;

  constructor(private readonly happened: Happened) {}

  add(event: RunEventBody, seq: number, before: RunState | null): void {
    const run = this.happened.runId;
    this.events.push({ run, seq, type: event.type, payload: event.payload });
    const message = messageOf(before, event);
    if (message !== null) this.messages.push({ run, seq, role: message.role, content: message });

    switch (event.type) {
      case 'model.requested': {
        const { request_id: id, purpose, model, attempt } = event.payload;
        this.requests.set(id, { run, id, purpose, model, attempt, status: 'open', class: null, code: null });
        break;
      }
      case 'model.responded':
        this.endRequest(event.payload.request_id, 'responded', null, null);
        break;
      case 'model.failed':
        this.endRequest(event.payload.request_id, 'failed', event.payload.class, event.payload.code);
        break;
      case 'usage.recorded':
        this.usage.push(usageRow(run, event.payload));
        break;
      case 'tool.proposed':
        this.calls.set(event.payload.call_id, this.proposed(event.payload));
        break;
      case 'tool.started':
        this.call(event.payload.call_id).started = true;
        break;
      case 'tool.decided':
        this.call(event.payload.call_id);
        break;
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.denied':
      case 'tool.withdrawn':
      case 'tool.unknown': {
        const call = this.call(event.payload.call_id);
        call.ended = true;
        call.status = ENDING[event.type] ?? call.status;
        call.code = event.type === 'tool.failed' ? event.payload.code : null;
        break;
      }
      case 'session.completed':
        this.completion = event.payload;
        break;
      // What the log alone says.
      case 'command.accepted':
      case 'run.queued':
      case 'run.started':
      case 'run.waiting':
      case 'run.cancelling':
      case 'run.succeeded':
      case 'run.verification_failed':
      case 'run.blocked':
      case 'run.paused':
      case 'run.failed':
      case 'run.cancelled':
      case 'run.interrupted':
      case 'message.appended':
      case 'step.refused':
      case 'step.completed':
      case 'step.failed':
      case 'plan.updated':
      case 'blocker.reported':
      case 'budget.exhausted':
      case 'delivery.recorded':
      case 'verification.started':
      case 'verification.completed':
        break;
    }
  }

  done(after: RunState): ProjectedRows {
    const before = this.happened.before;
    return {
      run: {
        seq: after.seq,
        status: after.status,
        waiting: after.waitingFor,
        terminal: after.terminal === null ? null : terminalToWire(after.terminal),
        exit: after.terminal === null ? null : exitCode(after.terminal),
        completion: this.completion,
      },
      events: this.events,
      messages: this.messages,
      requests: [...this.requests.values()],
      calls: [...this.calls.values()].map((call) => this.settled(call, after)),
      usage: this.usage,
      writes: before === null ? 0 : after.edits.succeeded - before.edits.succeeded,
    };
  }

  private endRequest(id: string, status: 'responded' | 'failed', failureClass: string | null, code: string | null): void {
    const begun = this.requests.get(id) ?? { run: this.happened.runId, id, purpose: null, model: null, attempt: null };
    this.requests.set(id, { ...begun, status, class: failureClass, code });
  }

  private proposed(payload: EventPayload<'tool.proposed'>): CallDraft {
    const sealed = this.happened.sealed?.get(payload.call_id as CallId);
    return {
      run: this.happened.runId,
      id: payload.call_id,
      status: 'proposed',
      code: null,
      started: false,
      ended: false,
      proposed: {
        request: payload.request_id,
        provider: payload.provider_call_id,
        name: payload.name,
        arguments: payload.arguments,
        effect: payload.effect,
        counts: payload.counts_as_write,
        sealed: sealed === undefined ? null : Buffer.from(sealed.bytes).toString('hex'),
        hash: sealed?.inputHash ?? null,
      },
    };
  }

  private call(id: string): CallDraft {
    const known = this.calls.get(id);
    if (known !== undefined) return known;
    const draft: CallDraft = { run: this.happened.runId, id, status: 'proposed', code: null, started: false, ended: false, proposed: null };
    this.calls.set(id, draft);
    return draft;
  }

  /** An open call's status is the fold's; an ended one keeps no sealed arguments (I11). */
  private settled(call: CallDraft, after: RunState): CallRow {
    if (call.ended) return { ...call, proposed: call.proposed === null ? null : { ...call.proposed, sealed: null } };
    return { ...call, status: after.calls.find((open) => open.callId === call.id)?.status ?? call.status };
  }
}

function usageRow(run: string, payload: EventPayload<'usage.recorded'>): UsageRow {
  const unknown = payload.state === 'unknown';
  return {
    run,
    request: payload.request_id,
    model: payload.model,
    state: payload.state,
    input: payload.input_tokens,
    output: payload.output_tokens,
    cached: unknown ? null : (payload.cached_tokens ?? 0),
    reasoning: unknown ? null : (payload.reasoning_tokens ?? 0),
    cost: payload.cost_micro_usd,
  };
}

/** One call for all terminals: the union is told apart inside. */
const exitCode = (terminal: Terminal): number => exitCodeOf(terminal as Extract<Terminal, { status: 'succeeded' }>);
