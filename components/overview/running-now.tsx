import Link from 'next/link';
import type { EventType } from '@/lib/domain/run/event';
import type { Overview } from '@/lib/queries/overview';
import { actorWords, WAITING_WORDS } from '../run/run-words';
import { RunStatusMark } from '../run/run-status';
import { taskTitle } from '../run/task-title';
import { plural } from '../text/amounts';
import { ElapsedTime } from '../text/elapsed-time';
import { RevealedText } from '../text/revealed-text';
import { modelLabel } from '../text/model-label';
import { Card } from '../ui/card';

interface RunningNowProps {
  readonly runs: Overview['live'];
  readonly names: Overview['names'];
}

/** What is at work, and how far it has come. */
export function RunningNow({ runs, names }: RunningNowProps) {
  return (
    <Card title="At work" labelledBy="at-work" flush aside={runs.length === 0 ? null : <span className="text-xs text-ink-faint">{runs.length}</span>}>
      {runs.length === 0 ? (
        <p className="px-4 py-5 text-ink-soft">No run is at work.</p>
      ) : (
        <ul className="divide-y divide-line">
          {runs.map((run) => (
            <li key={run.id} className="relative grid gap-1 px-4 py-3 hover:bg-sunken/60">
              <div className="flex items-center justify-between gap-3">
                <RunStatusMark status={run.status} />
                <span className="text-xs whitespace-nowrap text-ink-faint">
                  <ElapsedTime since={run.started_at ?? run.created_at} />
                </span>
              </div>
              <Link href={`/runs/${run.id}`} className="line-clamp-1 font-medium break-words text-ink after:absolute after:inset-0 hover:text-accent">
                <bdi><RevealedText text={taskTitle(run.task)} kind="prose" /></bdi>
              </Link>
              <p className="flex flex-wrap gap-x-3 text-ink-soft">
                <span>{plural(run.progress?.rounds ?? 0, 'round')}</span>
                <span>{run.waiting_for === undefined ? lastWords(run.progress?.lastEvent ?? null) : `waits ${WAITING_WORDS[run.waiting_for]}`}</span>
                <span>{modelLabel(run.model)}</span>
                <span>{actorWords(run.created_by, names)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The last event of a run that goes on, in words. */
const LAST: Readonly<Record<EventType, string>> = {
  'command.accepted': 'submitted',
  'run.queued': 'waits for a worker',
  'run.started': 'a worker began',
  'message.appended': 'was told something',
  'model.requested': 'the model is thinking',
  'model.responded': 'the model answered',
  'model.failed': 'a request failed',
  'usage.recorded': 'the model answered',
  'tool.proposed': 'a call is proposed',
  'tool.decided': 'a call is decided',
  'tool.started': 'a call is running',
  'tool.completed': 'a call ended',
  'tool.failed': 'a call failed',
  'tool.denied': 'a call was denied',
  'tool.withdrawn': 'a call was withdrawn',
  'tool.unknown': 'a call’s outcome is unknown',
  'step.refused': 'evidence was refused',
  'step.completed': 'a step was completed',
  'step.failed': 'a step failed',
  'plan.updated': 'the plan changed',
  'blocker.reported': 'a blocker was reported',
  'budget.exhausted': 'the budget is used up',
  'delivery.recorded': 'the answer was weighed',
  'verification.started': 'the verifier is running',
  'verification.completed': 'the verifier ended',
  'run.waiting': 'waits',
  'run.cancelling': 'is being cancelled',
  'run.succeeded': 'succeeded',
  'run.verification_failed': 'did not pass its verifier',
  'run.blocked': 'is blocked',
  'run.paused': 'paused',
  'run.failed': 'failed',
  'run.cancelled': 'was cancelled',
  'run.interrupted': 'was interrupted',
  'session.completed': 'ended',
};
const lastWords = (type: EventType | null): string => (type === null ? '' : LAST[type]);
