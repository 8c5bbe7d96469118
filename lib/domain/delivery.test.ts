import { describe, expect, it } from 'vitest';
import { isHard, objectionSchema, type Objection } from './delivery';

describe('an objection', () => {
  /** A new code without an example does not compile. */
  const EXAMPLES: { readonly [C in Objection['code']]: Extract<Objection, { code: C }> } = {
    no_edit_succeeded: { severity: 'hard', code: 'no_edit_succeeded', attempted: 8 },
    effect_unknown: { severity: 'hard', code: 'effect_unknown', call_ids: ['call_1'] },
    child_not_succeeded: { severity: 'hard', code: 'child_not_succeeded', task_ids: ['tsk_1'] },
    plan_open: { severity: 'soft', code: 'plan_open', items: ['x'] },
    last_effect_failed: { severity: 'soft', code: 'last_effect_failed', call_id: 'call_1', name: 'edit', outcome: 'denied' },
  };

  it.each(Object.values(EXAMPLES))('$code is hard or soft by its kind, and by nothing that is said', (objection) => {
    expect(objectionSchema.parse(objection)).toEqual(objection);
    expect(isHard(objection)).toBe(['no_edit_succeeded', 'effect_unknown', 'child_not_succeeded'].includes(objection.code));
    const turned = { ...objection, severity: isHard(objection) ? 'soft' : 'hard' };
    expect(objectionSchema.safeParse(turned).success).toBe(false);
  });
});
