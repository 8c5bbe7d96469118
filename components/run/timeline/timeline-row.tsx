import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { clockTime, exactTime } from '../../text/exact-time';
import { classNames } from '../../ui/class-names';
import { TONE_TEXT, type Tone } from '../../ui/tone';
import { EventAnchor } from './event-anchor';

interface TimelineRowProps {
  readonly seq: number;
  readonly at: string;
  readonly icon: LucideIcon;
  readonly tone?: Tone;
  readonly moving?: boolean;
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
  readonly className?: string;
}

/** What every row has: a sign, a title, its time and its address. */
export function TimelineRow({ seq, at, icon: Icon, tone = 'neutral', moving = false, title, aside, children, className }: TimelineRowProps) {
  return (
    <article id={`e${seq}`} className={classNames('group/row grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 rounded-sm py-1.5 target:bg-accent-soft target:outline-8 target:outline-accent-soft', className)}>
      <Icon aria-hidden className={classNames('mt-0.5 size-4', TONE_TEXT[tone], moving && 'breathing')} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <div className="min-w-0 flex-1 basis-48">{title}</div>
          <div className="ml-auto flex flex-wrap items-center justify-end gap-x-2 text-xs text-ink-soft">
            {aside}
            <time dateTime={at} title={exactTime(at)} className="text-ink-faint">
              {clockTime(at)}
            </time>
            <EventAnchor seq={seq} />
          </div>
        </div>
        {children === undefined ? null : <div className="mt-1.5 grid min-w-0 gap-1.5">{children}</div>}
      </div>
    </article>
  );
}
