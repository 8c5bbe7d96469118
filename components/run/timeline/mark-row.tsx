/**
 * Everything of the log that is neither a request, a call, a message nor a check: in
 * its own words, one entry a type.
 */
import {
  BadgeDollarSign,
  CircleCheck,
  CircleDashed,
  CirclePlay,
  CircleX,
  Flag,
  MessageCircleQuestionMark,
  PackageCheck,
  PackageX,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { EventPayload, EventType, RunEvent } from '@/lib/domain/run/event';
import { count } from '../../text/amounts';
import { PlainText } from '../../text/plain-text';
import type { Tone } from '../../ui/tone';
import { BLOCKER_WORDS, FAILURE_WORDS, objectionWords, PAUSE_WORDS, WAITING_WORDS } from '../run-words';
import { STATUS_LOOK } from '../status-look';
import type { MarkItem } from './timeline-item';
import { TimelineRow } from './timeline-row';

interface MarkLook {
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly title: string;
  readonly body?: ReactNode;
}

type Marks = { readonly [T in EventType]?: (payload: EventPayload<T>) => MarkLook };

const ended = (status: keyof typeof STATUS_LOOK, because?: string): MarkLook => {
  const { icon, tone, word } = STATUS_LOOK[status];
  return { icon, tone, title: because === undefined ? word : `${word}: ${because}` };
};

const MARKS: Marks = {
  'run.queued': (payload) => ({ icon: CircleDashed, tone: 'neutral', title: QUEUED[payload.reason] }),
  'run.started': ({ generation }) => ({ icon: CirclePlay, tone: 'neutral', title: `A worker began (generation ${generation})` }),
  'run.waiting': ({ reason }) => ended('waiting', WAITING_WORDS[reason]),
  'run.cancelling': () => ended('cancelling', 'what is in flight is being stopped'),
  'run.succeeded': () => ended('succeeded'),
  'run.verification_failed': ({ exit_code }) => ended('verification_failed', `the verifier exited with ${exit_code}`),
  'run.blocked': ({ blocker }) => ended('blocked', BLOCKER_WORDS[blocker.kind].toLowerCase()),
  'run.paused': ({ reason, message }) => ({ ...ended('paused', PAUSE_WORDS[reason]), ...text(message) }),
  'run.failed': ({ class: failureClass, message }) => ({ ...ended('failed', FAILURE_WORDS[failureClass]), ...text(message) }),
  'run.cancelled': ({ unknown_calls }) => ended('cancelled', unknown_calls.length === 0 ? 'nothing was in flight' : 'what was in flight is unknown'),
  'run.interrupted': ({ unknown_calls, continues_as }) =>
    ended(
      'interrupted',
      `its worker stopped${unknown_calls.length === 0 ? '' : ', and what was in flight is unknown'}${continues_as === undefined ? '' : '; it goes on as the next generation'}`,
    ),
  'step.completed': ({ evidence }) => ({ icon: CircleCheck, tone: 'good', title: 'Step completed, with accepted evidence', ...json(evidence) }),
  'step.refused': ({ reason }) => ({ icon: CircleX, tone: 'warn', title: 'The evidence was refused', ...text(reason) }),
  'step.failed': ({ reason }) => ({ icon: CircleX, tone: 'bad', title: 'The agent reported that the step failed', ...text(reason) }),
  'blocker.reported': ({ kind, summary, question }) => ({
    icon: MessageCircleQuestionMark,
    tone: 'warn',
    title: `${BLOCKER_WORDS[kind]}, the agent reports`,
    body: <PlainText text={question === undefined ? summary : `${summary}\n\n${question}`} />,
  }),
  'budget.exhausted': ({ limit, allowed, used, over_by }) => ({
    icon: BadgeDollarSign,
    tone: 'warn',
    title: `The budget is used up: ${amount(limit, used)} of ${amount(limit, allowed)}${over_by > 0 ? `, ${amount(limit, over_by)} over` : ''}`,
  }),
  'delivery.recorded': ({ verdict, objections }) => ({
    icon: verdict === 'accepted' ? PackageCheck : PackageX,
    tone: verdict === 'accepted' ? 'good' : 'bad',
    title: verdict === 'accepted' ? 'The answer was accepted as the delivery' : 'The record stands against the answer',
    ...(objections.length === 0
      ? {}
      : {
          body: (
            <ul className="grid gap-0.5 text-sm text-ink-soft">
              {objections.map((objection, index) => (
                <li key={index}>{objectionWords(objection)}</li>
              ))}
            </ul>
          ),
        }),
  }),
};

const QUEUED: Readonly<Record<EventPayload<'run.queued'>['reason'], string>> = {
  submitted: 'Submitted, and waits for a worker',
  resumed: 'Resumed by a person, and waits for a worker',
  continued: 'Goes on after an interruption, and waits for a worker',
  released: 'Its worker gave it back, and another one will go on',
  woken: 'What it waited for has come',
};

const text = (value: string | undefined): { readonly body?: ReactNode } =>
  value === undefined || value === '' ? {} : { body: <PlainText text={value} className="text-ink-soft" /> };

const json = (value: unknown): { readonly body: ReactNode } => ({
  body: <PlainText text={JSON.stringify(value, null, 2)} className="font-mono text-xs text-ink-soft" />,
});

const amount = (limit: EventPayload<'budget.exhausted'>['limit'], value: number): string =>
  limit === 'tokens' ? `${count(value)} tokens` : `$${(value / 1e6).toFixed(4)}`;

export function MarkRow({ mark }: { readonly mark: MarkItem }) {
  const { icon, tone, title, body } = lookOf(mark.event);
  return (
    <TimelineRow
      seq={mark.seq}
      at={mark.at}
      icon={icon}
      tone={tone}
      title={<h4 className="text-sm text-ink-soft">{title}</h4>}
    >
      {body}
    </TimelineRow>
  );
}

function lookOf(event: RunEvent): MarkLook {
  const look = MARKS[event.type] as ((payload: unknown) => MarkLook) | undefined;
  // Of a type that this page does not know yet: shown, not dropped.
  return look?.(event.payload) ?? { icon: Flag, tone: 'neutral', title: event.type, ...json(event.payload) };
}
