/**
 * queued: nobody holds the run.
 *   claim → running · cancel → cancelled at once, no model call is made
 *   expire_lease → interrupted: a local run whose process died while it waited its turn
 */
import { event, happened, type Handlers } from './decision';
import { endRun } from './ending';

export const QUEUED: Handlers = {
  claim: (state, input) =>
    happened(event('run.started', { generation: state.generation, lease_epoch: input.leaseEpoch, worker: input.worker })),
  cancel: (state, input) =>
    happened(
      event('command.accepted', { command_id: input.commandId, kind: 'cancel', actor: input.by }),
      ...endRun(state, 'cancelled', input.others, (closed) => ({
        status: 'cancelled',
        by: input.by,
        unknown_calls: [...closed.unknownCalls],
      })),
    ),
  expire_lease: (state, input) =>
    happened(
      ...endRun(state, 'lease_expired', input.others, (closed) => ({ status: 'interrupted', unknown_calls: [...closed.unknownCalls] })),
    ),
};
