import type { RunState } from '@/lib/domain/run/state';

/** What a running run does at this moment. */
export function activityOf(state: RunState): string {
  if (state.verification.status === 'running') return 'The verifier is running.';
  const running = state.calls.filter((call) => call.status === 'running').map((call) => call.name);
  if (running.length > 0) return `At work: ${running.join(', ')}.`;
  return state.openRequest === null ? 'At work.' : 'The model is writing.';
}
