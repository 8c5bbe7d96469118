import type { RunStatus } from '@/lib/domain/run/status';
import { classNames } from '../ui/class-names';
import { TONE_SOFT, TONE_TEXT } from '../ui/tone';
import { STATUS_LOOK } from './status-look';

interface RunStatusProps {
  readonly status: RunStatus;
  /** `line`: icon and word in a row of text. `badge`: on a ground of its own. */
  readonly look?: 'line' | 'badge';
  readonly className?: string;
}

export function RunStatusMark({ status, look = 'line', className }: RunStatusProps) {
  const { icon: Icon, word, tone, moving } = STATUS_LOOK[status];
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 font-medium whitespace-nowrap',
        look === 'badge' ? ['rounded-md px-2 py-1', TONE_SOFT[tone]] : TONE_TEXT[tone],
        className,
      )}
    >
      <Icon aria-hidden className={classNames('size-4 shrink-0', moving && 'breathing')} />
      {word}
    </span>
  );
}
