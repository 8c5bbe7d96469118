import type { ToldMessage } from '@/lib/queries/run-page';
import { plural } from '../../text/amounts';
import { MessageRow, ORIGIN_LOOK } from '../timeline/message-row';

/** Everything that was said in the user's seat, by whom. */
export function ToldPanel({ told }: { readonly told: readonly ToldMessage[] }) {
  const harness = told.filter((message) => ORIGIN_LOOK[message.payload.origin].harness).length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-ink-soft">
        {plural(told.length - harness, 'message')} by people, {plural(harness, 'message')} by Pilothouse. The harness speaks in the user’s seat only to
        report on recorded facts; what it says is never rewritten.
      </p>
      <ol>
        {told.map((message) => (
          <li key={message.seq}>
            <MessageRow
              message={{
                kind: 'message',
                seq: message.seq,
                lastSeq: message.seq,
                at: message.at,
                origin: message.payload.origin,
                text: message.payload.text,
                objections: message.payload.objections ?? [],
              }}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}
