/**
 * Where a run's stream ends (contract.md §5): after `session.completed`, or after the
 * run's terminal where none follows in this log (a sub-agent's run; one that goes on as
 * another run).
 */
import { isTerminal, RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';

const TERMINALS: ReadonlySet<string> = new Set(RUN_STATUSES.filter(isTerminal).map((status) => `run.${status}`));

export const isTerminalEvent = (type: string): boolean => TERMINALS.has(type);

/** Whether the stream of one who was there from before the end closes after this event. */
export function endsStream(event: { readonly type: string; readonly payload: unknown }, isChild: boolean): boolean {
  if (event.type === 'session.completed') return true;
  return isTerminalEvent(event.type) && (isChild || goesOn(event.payload));
}

const goesOn = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'continues_as' in payload && typeof payload.continues_as === 'string';

/** The same, asked of the run's row: who opens a stream now gets what lies beyond the cursor, and the end. */
export function logEnded(state: {
  readonly status: RunStatus;
  readonly isChild: boolean;
  readonly atRest: boolean;
  readonly continues: boolean;
}): boolean {
  return state.atRest || (isTerminal(state.status) && (state.isChild || state.continues));
}
