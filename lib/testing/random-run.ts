/** Walks a run through the pure core by a seed and says which rules broke on the way. */
import type { ChatMessage } from '@/lib/domain/message';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { messageOf } from '@/lib/domain/run/conversation';
import { decide } from '@/lib/domain/run/decide';
import { parseEvent, type RunEvent } from '@/lib/domain/run/event';
import { evolve, fold } from '@/lib/domain/run/evolve';
import type { OtherTotals, RunInput } from '@/lib/domain/run/input';
import type { RunState } from '@/lib/domain/run/state';
import { isTerminal } from '@/lib/domain/run/status';
import { place, RUN } from './play-run';
import { seededRandom } from './random';
import { randomInput } from './random-input';
import { brokenConversation, brokenRules } from './run-invariants';

/** What a walk is made of; a control puts a broken one in its place. */
export interface Core {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
  readonly messageOf: typeof messageOf;
}
export const CORE: Core = { decide, evolve, messageOf };

export interface Walk {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly events: readonly RunEvent[];
  readonly state: RunState | null;
  readonly accepted: number;
  readonly rejected: number;
}

const STEPS = 90;
const STEPS_AFTER_END = 12;

const OTHERS: readonly [OtherTotals, OtherTotals] = [
  NO_OTHERS,
  {
    usage: { ...NO_OTHERS.usage, input_tokens: 1_000, output_tokens: 10, total_tokens: 1_010, cost_micro_usd: 7, cost_usd: 0.000007, unknown_requests: 1 },
    tool_calls: { completed: 1, failed: 2, denied: 3, unknown: 4, withdrawn: 5 },
    effects: { commands: 6, external: 7 },
    writes_unknown: 8,
    writes_applied: false,
  },
];

export function walk(seed: number, core: Core = CORE): Walk {
  const random = seededRandom(seed);
  const others = random.pick(OTHERS);
  const events: RunEvent[] = [];
  const messages: ChatMessage[] = [];
  const broken: string[] = [];
  let state: RunState | null = null;
  let seq = 0;
  let [accepted, rejected, afterEnd] = [0, 0, 0];
  let last: RunInput | null = null;

  for (let step = 0; step < STEPS && afterEnd < STEPS_AFTER_END && broken.length === 0; step += 1) {
    const before: RunState | null = state;
    const over = before !== null && isTerminal(before.status);
    afterEnd += over ? 1 : 0;
    // The same input again is what a retry after a lost acknowledgement looks like.
    const input: RunInput = last !== null && random.chance(0.08) ? last : randomInput(random, before, others);
    // Frozen, so that a decision which changes the state it was given throws.
    const decision = core.decide(deepFreeze(before), input);
    if (!decision.ok) {
      rejected += 1;
      if (over && decision.rejection.code !== 'ended') broken.push(`I3: a terminal run says ${decision.rejection.code} to ${input.type}`);
      continue;
    }
    if (over) broken.push(`I3: a terminal run accepts ${input.type}`);
    accepted += 1;
    last = input;
    for (const body of decision.events) {
      // Gaps in seq are allowed, and readers may not assume their absence (I1).
      seq += random.chance(0.05) ? 2 : 1;
      const event = stored(place(body, seq), broken);
      const message = core.messageOf(state, event);
      if (message !== null) messages.push(message);
      state = core.evolve(state, RUN, event);
      events.push(event);
    }
    const ended = state !== null && isTerminal(state.status);
    broken.push(...brokenRules(events, others), ...brokenConversation(messages, ended));
    if (ended || random.chance(0.1)) {
      const folded = fold(RUN, events);
      if (JSON.stringify(folded) !== JSON.stringify(state)) broken.push('I13: folding the log gives another state');
      // From here another worker goes on, which has nothing but the log.
      state = folded;
    }
  }
  return { seed, broken: broken.map((rule) => `seed ${seed}: ${rule}`), events, state, accepted, rejected };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}

/** The event as the database gives it back. */
function stored(event: RunEvent, broken: string[]): RunEvent {
  const payload = JSON.stringify(event.payload);
  try {
    const parsed = parseEvent({ ...event, payload: JSON.parse(payload) as unknown });
    const lost = JSON.stringify(parsed.payload).length !== payload.length;
    if (lost) broken.push(`the schema of ${event.type} does not hold all of its payload`);
    return parsed;
  } catch (error) {
    broken.push(`the payload of ${event.type} does not parse: ${String(error)}`);
    return event;
  }
}
