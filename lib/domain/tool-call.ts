/**
 * Tool-call states (domain.md §4).
 *
 *     proposed ─policy─▶ allow: ready │ ask: waiting_for_approval │ deny: denied
 *     waiting_for_approval ─▶ ready │ denied │ failed(permission_denied) │ withdrawn
 *     ready ─▶ running ─▶ completed │ failed │ unknown
 *     ready ─▶ failed       refused before its effect began: invalid arguments, path
 *                           outside, read-only workspace, nobody there to approve
 *     ready ─▶ completed    never: an outcome without an intent is not believed
 *     proposed, ready, waiting_for_approval ─▶ withdrawn   the run ended first
 */
export const CALL_STATUSES = [
  'proposed',
  'waiting_for_approval',
  'ready',
  'running',
  'completed',
  'failed',
  'denied',
  'withdrawn',
  'unknown',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_EFFECTS = ['none', 'workspace', 'external'] as const;
export type CallEffect = (typeof CALL_EFFECTS)[number];

export const CALL_INPUTS = ['allow', 'ask', 'deny', 'start', 'complete', 'fail', 'lose', 'withdraw'] as const;
export type CallInput = (typeof CALL_INPUTS)[number];

const TRANSITIONS: Record<CallStatus, Partial<Record<CallInput, CallStatus>>> = {
  proposed: { allow: 'ready', ask: 'waiting_for_approval', deny: 'denied', withdraw: 'withdrawn' },
  waiting_for_approval: { allow: 'ready', deny: 'denied', fail: 'failed', withdraw: 'withdrawn' },
  ready: { start: 'running', fail: 'failed', withdraw: 'withdrawn' },
  running: { complete: 'completed', fail: 'failed', lose: 'unknown' },
  completed: {},
  failed: {},
  denied: {},
  withdrawn: {},
  unknown: {},
};

/** The next status, or null where the input means nothing in this status. */
export function nextCallStatus(status: CallStatus, input: CallInput): CallStatus | null {
  return TRANSITIONS[status][input] ?? null;
}

/** An ended call has its one outcome and never changes (I4). */
export function hasEnded(status: CallStatus): boolean {
  return Object.keys(TRANSITIONS[status]).length === 0;
}
