import { Link2 } from 'lucide-react';

/** The address of an event: a link to copy, with its number to say. */
export function EventAnchor({ seq }: { readonly seq: number }) {
  return (
    <a
      href={`#e${seq}`}
      className="inline-flex items-center gap-0.5 rounded-sm text-xs text-ink-faint hover:text-accent"
      aria-label={`Link to event ${seq}`}
    >
      <Link2 aria-hidden className="size-3" />
      {seq}
    </a>
  );
}
