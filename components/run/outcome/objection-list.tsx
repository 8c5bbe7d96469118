import { Scale } from 'lucide-react';
import type { Objection } from '@/lib/domain/delivery';
import { Badge } from '../../ui/badge';
import { objectionWords } from '../run-words';

/** What the record has against the answer that was given. */
export function ObjectionList({ objections }: { readonly objections: readonly Objection[] }) {
  if (objections.length === 0) return null;
  return (
    <section aria-label="Objections of the record">
      <h3 className="flex items-center gap-1.5 text-sm font-medium text-ink">
        <Scale aria-hidden className="size-4 text-ink-soft" />
        The record objects
      </h3>
      <ul className="mt-1 grid gap-1">
        {objections.map((objection, index) => (
          <li key={index} className="flex items-baseline gap-2 text-ink-soft">
            <Badge tone={objection.severity === 'hard' ? 'bad' : 'warn'}>{objection.severity}</Badge>
            <span className="min-w-0 break-words">{objectionWords(objection)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
