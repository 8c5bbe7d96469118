/** What every control that takes text looks like. */
export const CONTROL =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink placeholder:text-ink-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-ink-faint max-sm:text-base';
