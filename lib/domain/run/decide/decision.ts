/** What `decide` answers: what happened, or why it may not. A rejection is a value, not a throw. */
import type { EventPayload, EventType, RunEventBody } from '../event';
import { evolve } from '../evolve';
import type { InputOf, RunInput, RunInputType } from '../input';
import type { RunState } from '../state';
import type { RunStatus } from '../status';

export type Rejection =
  /** The input means nothing in this status, or not while something else is still in flight. */
  | { readonly code: 'illegal'; readonly status: RunStatus | 'absent'; readonly input: RunInputType }
  /** The run has ended, and a terminal run never changes (I3). */
  | { readonly code: 'ended'; readonly status: RunStatus }
  /** The input names a call or request that is not open. */
  | { readonly code: 'not_open'; readonly id: string };

export type Decision =
  | { readonly ok: true; readonly events: readonly RunEventBody[] }
  | { readonly ok: false; readonly rejection: Rejection };

/** What one status does with the inputs that mean something in it. */
export type Handlers = { readonly [T in RunInputType]?: (state: RunState, input: InputOf<T>) => Decision };

export const happened = (...events: readonly RunEventBody[]): Decision => ({ ok: true, events });
export const notOpen = (id: string): Decision => ({ ok: false, rejection: { code: 'not_open', id } });

export const notNow = (state: RunState, input: RunInput): Decision => ({
  ok: false,
  rejection: { code: 'illegal', status: state.status, input: input.type },
});

export function event<T extends EventType>(type: T, payload: EventPayload<T>): RunEventBody {
  return { type, payload } as RunEventBody;
}

/** The state after these events, as the log will give it. */
export function after(state: RunState, events: readonly RunEventBody[]): RunState {
  let next = state;
  for (const body of events) next = evolve(next, next.runId, { ...body, seq: next.seq + 1 }) ?? next;
  return next;
}
