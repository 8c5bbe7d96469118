import type { PlanItem } from '@/lib/domain/step';
import { Card } from '../../ui/card';
import { PlanItems } from '../plan-items';

export function PlanPanel({ plan }: { readonly plan: readonly PlanItem[] }) {
  const done = plan.filter((item) => item.status === 'completed').length;
  return (
    <Card title="Plan of the agent" labelledBy="plan" aside={plan.length === 0 ? null : <span className="text-xs text-ink-faint">{done} of {plan.length} done</span>}>
      {plan.length === 0 ? <p className="text-ink-faint">It has made none.</p> : <PlanItems items={plan} />}
    </Card>
  );
}
