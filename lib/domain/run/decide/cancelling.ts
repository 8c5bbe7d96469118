/**
 * cancelling: cancel was accepted while a worker holds the lease. Outcomes of what
 * was in flight are still facts and are recorded; nothing new begins.
 *   finish_cancel, expire_lease → cancelled: what is still in flight is `unknown`
 */
import type { OtherTotals } from '../input';
import type { RunState } from '../state';
import { happened, type Decision, type Handlers } from './decision';
import { endRun } from './ending';
import { endCall, modelFailed, modelResponded } from './running';

function finish(state: RunState, others: OtherTotals, reason: string): Decision {
  return happened(
    ...endRun(state, reason, others, (closed) => ({
      status: 'cancelled',
      by: closed.cancelledBy ?? 'system',
      unknown_calls: [...closed.unknownCalls],
    })),
  );
}

export const CANCELLING: Handlers = {
  model_responded: modelResponded,
  model_failed: modelFailed,
  end_call: endCall,
  // A repeated cancel changes nothing and is no error.
  cancel: () => happened(),
  finish_cancel: (state, input) => finish(state, input.others, 'cancelled'),
  expire_lease: (state, input) => finish(state, input.others, 'lease_expired'),
};
