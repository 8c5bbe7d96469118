/**
 * What must hold of every run's log, read from the events alone and not from the
 * fold, so that a mistake in the fold cannot hide itself. Each broken rule is a
 * line that names it; no line means that all held.
 */
import type { ChatMessage } from '@/lib/domain/message';
import type { Completion } from '@/lib/domain/run/completion';
import type { EventPayload, EventType, RunEvent } from '@/lib/domain/run/event';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { QueuedFirst } from '@/lib/domain/run/state';

type Of<T extends EventType> = Extract<RunEvent, { type: T }>;

const TERMINAL = {
  'run.succeeded': 0,
  'run.verification_failed': 2,
  'run.blocked': 5,
  'run.paused': 4,
  'run.failed': 1,
  'run.cancelled': 130,
  'run.interrupted': 6,
} as const;
const OUTCOMES = {
  'tool.completed': 'completed',
  'tool.failed': 'failed',
  'tool.denied': 'denied',
  'tool.unknown': 'unknown',
  'tool.withdrawn': 'withdrawn',
} as const;
type TerminalType = keyof typeof TERMINAL;
type OutcomeType = keyof typeof OUTCOMES;
const isTerminalEvent = (event: RunEvent): event is Of<TerminalType> => event.type in TERMINAL;
const isOutcome = (event: RunEvent): event is Of<OutcomeType> => event.type in OUTCOMES;

/** @param others what the completion adds for the other runs of the turn. */
export function brokenRules(events: readonly RunEvent[], others: OtherTotals): readonly string[] {
  const of = <T extends EventType>(...types: readonly T[]): Of<T>[] =>
    events.filter((event): event is Of<T> => (types as readonly EventType[]).includes(event.type));
  const terminals = events.filter(isTerminalEvent);
  const [terminal] = terminals;
  const ended = terminal !== undefined;
  return [
    ...inOrder(events),
    ...(terminals.length > 1 ? ['I3: more than one terminal event'] : []),
    ...endings(events, terminal),
    ...calls(events, ended),
    ...requests(of('model.requested'), of('model.responded', 'model.failed'), of('usage.recorded'), ended),
    ...afterCancelling(events),
    ...honest(events, terminal),
    ...of('session.completed').flatMap(({ payload }) => totals(events, payload, others)),
  ];
}

function inOrder(events: readonly RunEvent[]): string[] {
  return events.some((event, index) => index > 0 && event.seq <= (events[index - 1]?.seq ?? 0)) ? ['I1: seq does not rise'] : [];
}

function endings(events: readonly RunEvent[], terminal: Of<TerminalType> | undefined): string[] {
  const completed = events.filter((event) => event.type === 'session.completed');
  if (terminal === undefined) return completed.length > 0 ? ['session.completed before the terminal'] : [];
  const broken: string[] = [];
  const goesOn = terminal.type === 'run.interrupted' && terminal.payload.continues_as !== undefined;
  if (completed.length !== (goesOn ? 0 : 1)) broken.push(`session.completed is there ${completed.length} times after ${terminal.type}`);
  const last = events.at(-1);
  if (last !== (goesOn ? terminal : completed[0])) broken.push(`I3: ${last?.type ?? 'nothing'} comes after the end`);
  return broken;
}

function calls(events: readonly RunEvent[], ended: boolean): string[] {
  const broken: string[] = [];
  const seen = new Map<string, { decision: string; started: boolean; outcomes: number }>();
  for (const event of events) {
    if (event.type === 'tool.proposed') {
      if (seen.has(event.payload.call_id)) broken.push('a call is proposed twice');
      seen.set(event.payload.call_id, { decision: 'none', started: false, outcomes: 0 });
    }
    if (event.type !== 'tool.decided' && event.type !== 'tool.started' && !isOutcome(event)) continue;
    const call = seen.get(event.payload.call_id);
    if (call === undefined) broken.push(`${event.type} of a call that was not proposed`);
    else if (event.type === 'tool.decided') call.decision = event.payload.decision;
    else if (event.type === 'tool.started') {
      if (call.started || call.decision !== 'allow' || call.outcomes > 0) broken.push('I5: a call starts that may not');
      call.started = true;
    } else {
      call.outcomes += 1;
      if (!call.started && (event.type === 'tool.completed' || event.type === 'tool.unknown')) broken.push(`I5: ${event.type} without an intent`);
      if (call.started && event.type === 'tool.withdrawn') broken.push('I4: a call in flight is withdrawn');
    }
  }
  for (const [id, { outcomes }] of seen) {
    if (outcomes > 1 || (ended && outcomes === 0)) broken.push(`I4: ${id} has ${outcomes} outcomes`);
  }
  return broken;
}

function requests(
  asked: readonly Of<'model.requested'>[],
  settled: readonly Of<'model.responded' | 'model.failed'>[],
  used: readonly Of<'usage.recorded'>[],
  ended: boolean,
): string[] {
  const count = (events: readonly { payload: { request_id: string } }[], id: string): number =>
    events.filter((event) => event.payload.request_id === id).length;
  const broken = asked.flatMap(({ payload: { request_id: id } }) => {
    const [settlements, entries] = [count(settled, id), count(used, id)];
    return settlements === entries && settlements <= 1 && (!ended || settlements === 1)
      ? []
      : [`I10: ${id} settled ${settlements} times with ${entries} usage entries`];
  });
  if (used.length > asked.length) broken.push('I10: usage of a request that nobody made');
  const counts = ({ payload: p }: Of<'usage.recorded'>): readonly (number | null)[] => [p.input_tokens, p.output_tokens, p.cached_tokens, p.reasoning_tokens];
  for (const entry of used) {
    const unknown = entry.payload.state === 'unknown';
    if (counts(entry).some((value) => (value === null) !== unknown)) broken.push('I10: unknown usage has counts, or known usage has none');
    if (unknown && entry.payload.cost_micro_usd !== null) broken.push('I10: unknown usage has a price');
  }
  return broken;
}

function afterCancelling(events: readonly RunEvent[]): string[] {
  const at = events.findIndex((event) => event.type === 'run.cancelling');
  if (at === -1) return [];
  const begins: readonly EventType[] = ['model.requested', 'tool.started', 'message.appended', 'verification.started', 'run.queued'];
  return events.slice(at).flatMap((event) => {
    if (begins.includes(event.type)) return [`${event.type} begins after cancel`];
    return isTerminalEvent(event) && event.type !== 'run.cancelled' ? [`a cancelled run ends as ${event.type}`] : [];
  });
}

/** No signal stands in for another (domain.md §1, §3, §8). */
function honest(events: readonly RunEvent[], terminal: Of<TerminalType> | undefined): string[] {
  const first = events.find((event) => event.type === 'run.queued')?.payload as QueuedFirst | undefined;
  const last = <T extends EventType>(type: T): EventPayload<T> | undefined =>
    events.findLast((event): event is Of<T> => event.type === type)?.payload as EventPayload<T> | undefined;
  const broken: string[] = [];
  const blockedAt = events.findIndex((event) => event.type === 'blocker.reported');
  if (blockedAt !== -1) {
    if (events.slice(blockedAt).some((event) => event.type === 'verification.started')) broken.push('a blocker is verified');
    if (terminal?.type === 'run.succeeded' || terminal?.type === 'run.verification_failed') broken.push('a blocker is upgraded');
  }
  if (terminal?.type === 'run.succeeded') {
    if (last('delivery.recorded')?.verdict !== 'accepted') broken.push('succeeded without a delivery');
    if (last('delivery.recorded')?.objections.some((objection) => objection.severity === 'hard')) broken.push('succeeded against a hard objection');
    if (first?.settings.verifier !== null && last('verification.completed')?.success !== true) broken.push('succeeded without its verifier');
  }
  if (terminal?.type === 'run.interrupted' && terminal.payload.continues_as !== undefined) {
    const effects = new Map(events.flatMap((event) => (event.type === 'tool.proposed' ? [[event.payload.call_id, event.payload.effect] as const] : [])));
    if (events.some((event) => event.type === 'tool.unknown' && effects.get(event.payload.call_id) !== 'none')) {
      broken.push('an effect in doubt goes on by itself');
    }
  }
  return broken;
}

function totals(events: readonly RunEvent[], completion: Completion, others: OtherTotals): string[] {
  const sum = (key: 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'reasoning_tokens' | 'cost_micro_usd'): number =>
    events.reduce((total, event) => total + (event.type === 'usage.recorded' ? (event.payload[key] ?? 0) : 0), others.usage[key]);
  const count = (holds: (event: RunEvent) => boolean): number => events.filter(holds).length;
  const input_tokens = sum('input_tokens');
  const output_tokens = sum('output_tokens');
  const cost_micro_usd = sum('cost_micro_usd');
  const names = new Map(events.flatMap((event) => (event.type === 'tool.proposed' ? [[event.payload.call_id, event.payload] as const] : [])));
  const began = (command: boolean) => (event: RunEvent): boolean =>
    event.type === 'tool.started' && event.payload.effect === 'external' && (names.get(event.payload.call_id)?.name === 'run_command') === command;
  const ofWrites = (type: 'tool.completed' | 'tool.unknown') => (event: RunEvent): boolean =>
    event.type === type && names.get(event.payload.call_id)?.counts_as_write === true;
  const first = events.find((event) => event.type === 'run.queued')?.payload as QueuedFirst | undefined;
  const end = events.find(isTerminalEvent);
  const expected = {
    usage: {
      input_tokens,
      output_tokens,
      cached_tokens: sum('cached_tokens'),
      reasoning_tokens: sum('reasoning_tokens'),
      total_tokens: input_tokens + output_tokens,
      cost_micro_usd,
      cost_usd: cost_micro_usd / 1_000_000,
      unpriced_requests:
        others.usage.unpriced_requests +
        count((event) => event.type === 'usage.recorded' && event.payload.state !== 'unknown' && event.payload.cost_micro_usd === null),
      unknown_requests: others.usage.unknown_requests + count((event) => event.type === 'usage.recorded' && event.payload.state === 'unknown'),
    },
    tool_calls: Object.fromEntries(
      Object.entries(OUTCOMES).map(([type, name]) => [name, others.tool_calls[name] + count((event) => event.type === type)]),
    ),
    effects: { commands: others.effects.commands + count(began(true)), external: others.effects.external + count(began(false)) },
    writes_unknown: others.writes_unknown + count(ofWrites('tool.unknown')),
    writes_applied: others.writes_applied || (first?.carried.edits.succeeded ?? 0) > 0 || count(ofWrites('tool.completed')) > 0,
    status: end?.type.slice('run.'.length),
    terminal: end === undefined ? undefined : { [end.type.slice('run.'.length)]: end.payload },
    exit_code: end === undefined ? undefined : exitCode(end),
  };
  return Object.entries(expected).flatMap(([key, value]) =>
    JSON.stringify(sorted(completion[key as keyof typeof expected])) === JSON.stringify(sorted(value)) ? [] : [`session.completed says something else of ${key}`],
  );
}

function exitCode(end: Of<TerminalType>): number {
  if (end.type === 'run.failed' && end.payload.class === 'approval') return 3;
  if (end.type === 'run.cancelled' && end.payload.by === 'signal:SIGTERM') return 143;
  return TERMINAL[end.type];
}

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]))
    : value;

/** A history that strict chat endpoints accept: after an assistant's calls come exactly their results, then anything else. */
export function brokenConversation(messages: readonly ChatMessage[], ended: boolean): readonly string[] {
  const broken: string[] = [];
  const pending = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (pending.get(message.callId) !== message.providerCallId) broken.push(`a result without its call: ${message.callId}`);
      pending.delete(message.callId);
      continue;
    }
    if (pending.size > 0) broken.push(`${message.role} speaks before ${[...pending.keys()].join(', ')} answered`);
    pending.clear();
    if (message.role === 'assistant') for (const call of message.calls) pending.set(call.callId, call.providerCallId);
  }
  if (ended && pending.size > 0) broken.push(`I4: the run ended and ${[...pending.keys()].join(', ')} never answered`);
  return broken;
}
