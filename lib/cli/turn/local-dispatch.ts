import type { Dispatch } from '@/lib/commands/dispatch';
import type { System } from '@/lib/system';

/** A run that is born leased to this process: no other claims it. */
export const localDispatch = ({ owner, configuration }: System): Dispatch => ({
  kind: 'local',
  owner,
  leaseSeconds: configuration.workers.leaseSeconds,
});
