import { CircleAlert, CircleCheck, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_EDGE, TONE_TEXT, type Tone } from './tone';

const ICONS: Readonly<Record<Tone, LucideIcon>> = {
  neutral: Info,
  active: Info,
  good: CircleCheck,
  bad: CircleAlert,
  warn: TriangleAlert,
  doubt: TriangleAlert,
};

interface NoticeProps extends Omit<ComponentProps<'div'>, 'title'> {
  readonly tone?: Tone;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}

/** Something a person should know about what is beside it. */
export function Notice({ tone = 'neutral', title, children, className, ...rest }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classNames('flex gap-2.5 rounded-md border border-l-[3px] border-line bg-surface px-3 py-2.5', TONE_EDGE[tone], className)} {...rest}>
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', TONE_TEXT[tone])} />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words text-ink">{title}</p>
        {children === undefined ? null : <div className="mt-0.5 break-words text-ink-soft">{children}</div>}
      </div>
    </div>
  );
}
