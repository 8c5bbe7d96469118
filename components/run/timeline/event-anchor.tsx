'use client';
import { Check, Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';

/** The address of an event: a link, which a click also copies. */
export function EventAnchor({ seq }: { readonly seq: number }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const url = new URL(location.href);
    url.hash = `e${seq}`;
    try {
      await navigator.clipboard.writeText(url.href);
      setCopied(true);
    } catch {
      // The address is in the address bar then.
    }
  };
  return (
    <a
      href={`#e${seq}`}
      onClick={() => void copy()}
      className="inline-flex items-center gap-0.5 rounded-sm text-xs text-ink-faint hover:text-accent"
      aria-label={copied ? 'Link copied' : `Link to event ${seq}`}
      title={copied ? 'Link copied' : 'Copy the link to this event'}
    >
      {copied ? <Check aria-hidden className="size-3" /> : <Link2 aria-hidden className="size-3" />}
      {seq}
    </a>
  );
}
