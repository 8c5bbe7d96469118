import { Check, CircleHelp, Minus, X, type LucideIcon } from 'lucide-react';
import type { Completion } from '@/lib/domain/run/completion';
import { classNames } from '../../ui/class-names';
import { TONE_TEXT, type Tone } from '../../ui/tone';

type Done = Completion['done'];
type Answer = Done['work'] | Done['verified'] | Done['delivered'];

const LOOK: Readonly<Record<Answer, { readonly icon: LucideIcon; readonly word: string; readonly tone: Tone }>> = {
  yes: { icon: Check, word: 'yes', tone: 'good' },
  no: { icon: Minus, word: 'no', tone: 'neutral' },
  unknown: { icon: CircleHelp, word: 'unknown', tone: 'doubt' },
  passed: { icon: Check, word: 'passed', tone: 'good' },
  failed: { icon: X, word: 'did not pass', tone: 'bad' },
  not_run: { icon: Minus, word: 'not run', tone: 'neutral' },
  not_configured: { icon: Minus, word: 'not configured', tone: 'neutral' },
};

const LAYERS: readonly { readonly key: keyof Done; readonly label: string; readonly meaning: string }[] = [
  { key: 'work', label: 'Work', meaning: 'artefacts exist' },
  { key: 'verified', label: 'Verified', meaning: 'checks ran and passed' },
  { key: 'delivered', label: 'Delivered', meaning: 'a visible result reached you' },
];

/** The three layers of done; a run can have one without the others. */
export function LayersOfDone({ done }: { readonly done: Done }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
      {LAYERS.map(({ key, label, meaning }) => {
        const { icon: Icon, word, tone } = LOOK[done[key]];
        return (
          <div key={key} className="flex items-center gap-1.5" title={meaning}>
            <dt className="text-ink-soft">
              {label}
              <span className="sr-only"> ({meaning})</span>
            </dt>
            <dd className={classNames('inline-flex items-center gap-1 font-medium', TONE_TEXT[tone])}>
              <Icon aria-hidden className="size-3.5" />
              {word}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
