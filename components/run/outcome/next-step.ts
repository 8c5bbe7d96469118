/** What can be done about a run as it stands. Pure: buttons and words follow from it. */
import type { RunState } from '@/lib/domain/run/state';
import { isTerminal, leavesTurnOpen } from '@/lib/domain/run/status';

export type NextStep =
  /** It is at work: there is nothing to do. */
  | { readonly kind: 'wait' }
  /** The session went on in another run. */
  | { readonly kind: 'went_on'; readonly runId: string; readonly sameTurn: boolean }
  | { readonly kind: 'continues'; readonly runId: string }
  /** Calls of unknown outcome hold it back until a person says what is known. */
  | { readonly kind: 'reconcile'; readonly callIds: readonly string[] }
  /** Its history was not kept. */
  | { readonly kind: 'start_again' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'answer'; readonly choices: readonly string[] }
  | { readonly kind: 'say_more' }
  /** It is another agent's run: its parent decides. */
  | { readonly kind: 'parent'; readonly runId: string };

export interface AroundRun {
  readonly parentRunId: string | undefined;
  readonly latestRun: { readonly runId: string; readonly sameTurn: boolean };
  readonly unreconciled: readonly string[];
}

export function nextStepOf(state: RunState, around: AroundRun): NextStep {
  if (!isTerminal(state.status)) return { kind: 'wait' };
  if (around.parentRunId !== undefined) return { kind: 'parent', runId: around.parentRunId };
  if (state.terminal?.status === 'interrupted' && state.terminal.continues_as !== undefined) {
    return { kind: 'continues', runId: state.terminal.continues_as };
  }
  if (around.latestRun.runId !== state.runId) return { kind: 'went_on', ...around.latestRun };
  if (!state.settings.resumable) return { kind: 'start_again' };
  if (leavesTurnOpen(state.status)) {
    const unknown = around.unreconciled.length > 0 ? around.unreconciled : state.unknownEffects;
    return unknown.length > 0 ? { kind: 'reconcile', callIds: unknown } : { kind: 'resume' };
  }
  return state.terminal?.status === 'blocked' ? { kind: 'answer', choices: state.terminal.blocker.choices ?? [] } : { kind: 'say_more' };
}
