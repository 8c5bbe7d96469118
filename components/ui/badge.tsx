import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_SOFT, type Tone } from './tone';

export function Badge({ tone = 'neutral', className, children }: { readonly tone?: Tone; readonly className?: string; readonly children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-sm px-1.5 py-px text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0',
        TONE_SOFT[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
