/** A ship's wheel and the name. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2 text-base font-semibold tracking-tight text-ink">
      <svg aria-hidden viewBox="0 0 32 32" className="size-6 shrink-0 text-accent" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round">
        <circle cx="16" cy="16" r="8" />
        <path d="M16 2.5v6M16 23.5v6M2.5 16h6M23.5 16h6M6.5 6.5l4 4M21.5 21.5l4 4M25.5 6.5l-4 4M10.5 21.5l-4 4" />
        <circle cx="16" cy="16" r="2" fill="currentColor" />
      </svg>
      Pilothouse
    </span>
  );
}
