import { Circle, CircleCheck, CircleDot, CircleMinus, type LucideIcon } from 'lucide-react';
import type { PlanItem } from '@/lib/domain/step';
import { classNames } from '../ui/class-names';

interface PlanLook {
  readonly icon: LucideIcon;
  readonly word: string;
  readonly sign: string;
  readonly text: string;
}

const LOOK: Readonly<Record<PlanItem['status'], PlanLook>> = {
  pending: { icon: Circle, word: 'open', sign: 'text-ink-faint', text: 'text-ink' },
  in_progress: { icon: CircleDot, word: 'in progress', sign: 'text-accent', text: 'text-ink font-medium' },
  completed: { icon: CircleCheck, word: 'done', sign: 'text-good', text: 'text-ink-soft' },
  dropped: { icon: CircleMinus, word: 'dropped', sign: 'text-ink-faint', text: 'text-ink-faint line-through' },
};

/** The agent's own plan. */
export function PlanItems({ items }: { readonly items: readonly PlanItem[] }) {
  return (
    <ol className="grid gap-1.5">
      {items.map((item, index) => {
        const { icon: Icon, word, sign, text } = LOOK[item.status];
        return (
          <li key={index} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-2 text-sm">
            <Icon aria-hidden className={classNames('mt-0.5 size-4', sign)} />
            <span className={classNames('break-words', text)}>
              <span className="sr-only">{word}: </span>
              {item.text}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
