/** Run states (domain.md §3), their predicates and exit codes: the one source. */

export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'cancelling',
  'succeeded',
  'verification_failed',
  'blocked',
  'paused',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const LIVE_STATUSES = ['queued', 'running', 'waiting', 'cancelling'] as const satisfies readonly RunStatus[];
export type LiveStatus = (typeof LIVE_STATUSES)[number];
export type TerminalStatus = Exclude<RunStatus, LiveStatus>;

const LIVE: ReadonlySet<RunStatus> = new Set(LIVE_STATUSES);
export const isLive = (status: RunStatus): status is LiveStatus => LIVE.has(status);
export const isTerminal = (status: RunStatus): status is TerminalStatus => !LIVE.has(status);

/** A worker holds the lease of a run in these states, and only in these. */
export const isHeld = (status: RunStatus): boolean => status === 'running' || status === 'cancelling';

/** A turn whose latest root run ended so stays open: it can go on as another generation. */
const OPEN: ReadonlySet<RunStatus> = new Set(['paused', 'interrupted', 'cancelled']);
export const leavesTurnOpen = (status: RunStatus): boolean => OPEN.has(status);

export const WAITING_REASONS = ['approval', 'tasks', 'budget'] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

export const PAUSE_REASONS = [
  'empty_response',
  'truncated',
  'budget_exhausted',
  'limit',
  'provider_unavailable',
  'storage',
  'parent',
  'requested',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const FAILURE_CLASSES = [
  'provider',
  'reported',
  'unresolved',
  'approval',
  'stalled',
  'runtime',
  'persistence',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];
