import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** A word beside the label: `optional`, a unit. */
  readonly aside?: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly className?: string;
  /** Draws the control with the ids that tie it to its label, hint and error. */
  readonly children: (ids: FieldIds) => ReactNode;
}

/** A control with its label, its hint, and what is wrong with it beside it. */
export function Field({ id, label, aside, hint, error, className, children }: FieldProps) {
  const hintId = hint === undefined ? null : `${id}-hint`;
  const errorId = error === undefined ? null : `${id}-error`;
  const described = [errorId, hintId].filter((each) => each !== null).join(' ');
  return (
    <div className={classNames('grid content-start gap-1', className)}>
      <label htmlFor={id} className="flex items-baseline justify-between gap-2 text-sm font-medium text-ink">
        {label}
        {aside === undefined ? null : <span className="text-xs font-normal text-ink-faint">{aside}</span>}
      </label>
      {children({ id, 'aria-describedby': described === '' ? undefined : described, 'aria-invalid': error === undefined ? undefined : true })}
      {errorId === null ? null : (
        <p id={errorId} className="flex items-start gap-1 text-xs text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0 break-words">{error}</span>
        </p>
      )}
      {hintId === null ? null : (
        <p id={hintId} className="text-xs text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
