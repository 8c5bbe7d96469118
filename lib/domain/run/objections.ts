/** What the record has against a plain-text delivery (domain.md §8). */
import type { Objection } from '../delivery';
import { isOpenItem } from '../step';
import type { RunState } from './state';

/**
 * @param workspace against its state at the turn's start. What cannot be compared
 *   supports no claim: `unknown` counts as `equal`.
 */
export function objectionsTo(state: RunState, workspace: 'equal' | 'differs' | 'unknown'): readonly Objection[] {
  const objections: Objection[] = [];
  // Accepted evidence fells the hard objections that the record showed until then.
  const settled = state.step.status === 'completed' ? state.step : { editsAttempted: 0, unknownEffects: 0 };
  if (state.edits.attempted > settled.editsAttempted && state.edits.succeeded === 0 && workspace !== 'differs') {
    objections.push({ severity: 'hard', code: 'no_edit_succeeded', attempted: state.edits.attempted });
  }
  const inDoubt = state.unknownEffects.slice(settled.unknownEffects);
  if (inDoubt.length > 0) objections.push({ severity: 'hard', code: 'effect_unknown', call_ids: inDoubt });
  const open = state.plan.filter(isOpenItem);
  if (open.length > 0) objections.push({ severity: 'soft', code: 'plan_open', items: open.map((item) => item.text) });
  const last = state.lastEffect;
  if (last !== null && (last.outcome === 'failed' || last.outcome === 'denied')) {
    objections.push({ severity: 'soft', code: 'last_effect_failed', call_id: last.callId, name: last.name, outcome: last.outcome });
  }
  return objections;
}
