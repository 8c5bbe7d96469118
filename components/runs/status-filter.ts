import { LIVE_STATUSES, RUN_STATUSES, isTerminal, type RunStatus } from '@/lib/domain/run/status';
import { STATUS_LOOK } from '../run/status-look';

export type StatusFilter = 'all' | 'live' | 'ended' | RunStatus;

export const STATUS_FILTERS: readonly { readonly value: StatusFilter; readonly label: string }[] = [
  { value: 'all', label: 'Every status' },
  { value: 'live', label: 'Live' },
  { value: 'ended', label: 'Ended' },
  ...RUN_STATUSES.map((status) => ({ value: status, label: STATUS_LOOK[status].word })),
];

/** What an address says; anything else is no filter. */
export const statusFilterOf = (value: unknown): StatusFilter => STATUS_FILTERS.find((filter) => filter.value === value)?.value ?? 'all';

export function statusesOf(filter: StatusFilter): readonly RunStatus[] | undefined {
  if (filter === 'all') return undefined;
  if (filter === 'live') return LIVE_STATUSES;
  return filter === 'ended' ? RUN_STATUSES.filter(isTerminal) : [filter];
}
