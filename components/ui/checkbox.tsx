import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

export function Checkbox({ label, hint, className, id, ...rest }: CheckboxProps) {
  const hintId = hint === undefined || id === undefined ? undefined : `${id}-hint`;
  return (
    <div className={classNames('grid grid-cols-[auto_1fr] gap-x-2 gap-y-0.5', className)}>
      <input type="checkbox" id={id} aria-describedby={hintId} className="mt-0.5 size-4 accent-accent" {...rest} />
      <label htmlFor={id} className="text-sm text-ink">
        {label}
      </label>
      {hintId === undefined ? null : (
        <p id={hintId} className="col-start-2 text-xs text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
