import { BellRing, ClipboardList, CornerDownLeft, UserRound, type LucideIcon } from 'lucide-react';
import type { MessageOrigin } from '@/lib/domain/message';
import { PlainText } from '../../text/plain-text';
import { Badge } from '../../ui/badge';
import { classNames } from '../../ui/class-names';
import { objectionWords } from '../run-words';
import type { MessageItem } from './timeline-item';
import { TimelineRow } from './timeline-row';

interface OriginLook {
  readonly icon: LucideIcon;
  readonly title: string;
  /** It is Pilothouse that speaks, in the user's seat. */
  readonly harness: boolean;
}

export const ORIGIN_LOOK: Readonly<Record<MessageOrigin, OriginLook>> = {
  goal: { icon: UserRound, title: 'The task, by a person', harness: false },
  answer: { icon: UserRound, title: 'The answer, by a person', harness: false },
  report: { icon: ClipboardList, title: 'What the agent was told', harness: true },
  notice: { icon: BellRing, title: 'A notice to the agent', harness: true },
  result: { icon: CornerDownLeft, title: 'What came back from a sub-agent', harness: true },
};

/** A message in the user's seat. A person's and the harness's never look alike. */
export function MessageRow({ message }: { readonly message: MessageItem }) {
  const { icon, title, harness } = ORIGIN_LOOK[message.origin];
  return (
    <TimelineRow
      seq={message.seq}
      at={message.at}
      icon={icon}
      tone={harness ? 'doubt' : 'active'}
      title={
        <h4 className="flex flex-wrap items-baseline gap-x-2 text-sm font-medium text-ink">
          {title}
          {harness ? <Badge tone="doubt">Pilothouse · {message.origin}</Badge> : null}
        </h4>
      }
    >
      <div className={classNames('rounded-md px-3 py-2', harness ? 'border border-dashed border-doubt/50 bg-doubt-soft/50' : 'bg-accent-soft')}>
        <PlainText text={message.text} />
      </div>
      {message.objections.length === 0 ? null : (
        <ul className="grid gap-0.5 text-xs text-ink-soft">
          {message.objections.map((objection, index) => (
            <li key={index}>
              <span className="font-medium">{objection.severity}:</span> {objectionWords(objection)}
            </li>
          ))}
        </ul>
      )}
    </TimelineRow>
  );
}
