/**
 * The run state machine (domain.md §3): state + input → what happened, or why not.
 * Pure; one file a status. What to do next is `nextStep(state)`: derived from the
 * state, so that a run taken over by another worker goes on from its log alone.
 */
import type { RunInput } from '../input';
import type { RunState } from '../state';
import { isTerminal, type RunStatus } from '../status';
import { CANCELLING } from './cancelling';
import type { Decision, Handlers } from './decision';
import { QUEUED } from './queued';
import { RUNNING } from './running';
import { decideSubmit } from './submit';
import { WAITING } from './waiting';

export type { Decision, Rejection } from './decision';
export { after } from './decision';

/** A terminal run never changes (I3): it has no handlers at all. */
const ENDED: Handlers = {};

const BY_STATUS: Readonly<Record<RunStatus, Handlers>> = {
  queued: QUEUED,
  running: RUNNING,
  waiting: WAITING,
  cancelling: CANCELLING,
  succeeded: ENDED,
  verification_failed: ENDED,
  blocked: ENDED,
  paused: ENDED,
  failed: ENDED,
  cancelled: ENDED,
  interrupted: ENDED,
};

/** @param state null before the run exists: then only `submit` means something. */
export function decide(state: RunState | null, input: RunInput): Decision {
  if (state === null) {
    return input.type === 'submit'
      ? decideSubmit(input)
      : { ok: false, rejection: { code: 'illegal', status: 'absent', input: input.type } };
  }
  const handler = BY_STATUS[state.status][input.type] as ((state: RunState, input: RunInput) => Decision) | undefined;
  if (handler !== undefined) return handler(state, input);
  return {
    ok: false,
    rejection: isTerminal(state.status)
      ? { code: 'ended', status: state.status }
      : { code: 'illegal', status: state.status, input: input.type },
  };
}
