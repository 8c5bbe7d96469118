import type { EventPayload } from '@/lib/domain/run/event';
import { Monospace } from '../../text/monospace';
import { PlainText } from '../../text/plain-text';
import { BLOCKER_WORDS } from '../run-words';

/** What stands in the way, in the agent's own words, with what it saw. */
export function BlockerDetails({ blocker }: { readonly blocker: EventPayload<'run.blocked'>['blocker'] }) {
  return (
    <section aria-label="What blocks the run" className="grid gap-2">
      <h3 className="text-sm font-medium text-ink">{BLOCKER_WORDS[blocker.kind]}</h3>
      <PlainText text={blocker.summary} />
      {blocker.evidence.length === 0 ? null : (
        <ul className="grid gap-1 border-l-2 border-line pl-3">
          {blocker.evidence.map((evidence, index) => (
            <li key={index} className="text-sm text-ink-soft [overflow-wrap:anywhere]">
              <span className="scale-label mr-1.5">{evidence.kind}</span>
              {evidence.summary}
              {evidence.target === undefined ? null : (
                <>
                  {' '}
                  <Monospace text={evidence.target} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {blocker.question === undefined ? null : <PlainText text={blocker.question} className="text-base font-medium" />}
    </section>
  );
}
