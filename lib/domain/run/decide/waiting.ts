/**
 * waiting(reason): nothing can go on without an answer, a child or room in a
 * budget. Nobody holds the lease.
 *   wake → queued · cancel → cancelled at once
 */
import { event, happened, type Handlers } from './decision';
import { QUEUED } from './queued';

export const WAITING: Handlers = {
  wake: () => happened(event('run.queued', { reason: 'woken' })),
  // The same as in queued: no worker is needed to end it.
  ...(QUEUED.cancel === undefined ? {} : { cancel: QUEUED.cancel }),
};
