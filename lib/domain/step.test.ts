import { describe, expect, it } from 'vitest';
import { isOpenItem, PLAN_STATUSES } from './step';

describe('a plan item', () => {
  it('is open until it is completed or dropped', () => {
    expect(PLAN_STATUSES.filter((status) => isOpenItem({ text: 'x', status }))).toEqual(['pending', 'in_progress']);
  });
});
