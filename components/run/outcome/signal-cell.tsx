import type { ReactNode } from 'react';

interface SignalCellProps {
  readonly label: string;
  readonly question: string;
  readonly value: ReactNode;
  readonly detail?: ReactNode;
  /** Said in full, always: no signal may stand in for another. */
  readonly provesNot: string;
}

/** One of the three signals: what it answers, and what it never proves. */
export function SignalCell({ label, question, value, detail, provesNot }: SignalCellProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 bg-surface px-4 py-3">
      <dt>
        <span className="scale-label">
          {label}
          <span className="sr-only">: {question}</span>
        </span>
      </dt>
      <dd className="flex flex-1 flex-col gap-1">
        <div className="text-base font-medium">{value}</div>
        {detail === undefined ? null : <div className="min-w-0 text-sm text-ink-soft [overflow-wrap:anywhere]">{detail}</div>}
        <p className="mt-auto pt-1 text-xs text-ink-faint">Does not prove {provesNot}.</p>
      </dd>
    </div>
  );
}
