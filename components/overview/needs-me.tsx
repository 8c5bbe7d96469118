import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import type { RunView } from '@/lib/queries/run-view';
import { reasonOf } from '../run/run-words';
import { RunStatusMark } from '../run/run-status';
import { taskTitle } from '../run/task-title';
import { RevealedText } from '../text/revealed-text';
import { RelativeTime } from '../text/relative-time';
import { Card } from '../ui/card';

/** Runs that rest until a person does something, each with what that is. */
export function NeedsMe({ runs }: { readonly runs: readonly RunView[] }) {
  return (
    <Card title="Needs you" labelledBy="needs-you" flush aside={runs.length === 0 ? null : <span className="text-xs text-ink-faint">{runs.length}</span>}>
      {runs.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-5 text-ink-soft">
          <CircleCheck aria-hidden className="size-4 text-good" />
          Nothing waits for you.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {runs.map((run) => (
            <li key={run.id} className="relative grid gap-1 px-4 py-3 hover:bg-sunken/60">
              <div className="flex items-center justify-between gap-3">
                <RunStatusMark status={run.status} />
                <RelativeTime at={run.ended_at ?? run.created_at} className="text-xs whitespace-nowrap text-ink-faint" />
              </div>
              <Link href={`/runs/${run.id}`} className="line-clamp-1 font-medium break-words text-ink after:absolute after:inset-0 hover:text-accent">
                <bdi><RevealedText text={taskTitle(run.task)} kind="prose" /></bdi>
              </Link>
              <p className="line-clamp-3 break-words text-ink-soft">{summary(run)}</p>
              <p className="text-accent">{whatToDo(run)}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function summary(run: RunView): string {
  const blocker = run.terminal?.blocked?.blocker;
  return blocker === undefined ? (reasonOf(run.status, run.terminal, run.waiting_for) ?? '') : (blocker.question ?? blocker.summary);
}

/** `session_id` of a completion is left out where the history was not kept; `resumable` says it for pauses. */
function whatToDo(run: RunView): string {
  if (run.status === 'blocked') return 'Answer it →';
  if (run.status === 'interrupted') return 'Look at what is unknown →';
  if (run.status === 'waiting') return 'Decide →';
  return run.terminal?.paused?.resumable === false ? 'See what there is →' : 'Resume it →';
}
