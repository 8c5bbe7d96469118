'use client';
import { FolderGit2, GitCommitVertical, UserRound, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { isTerminal } from '@/lib/domain/run/status';
import type { FeedState } from '@/lib/live/run-feed';
import type { RunPageView } from '@/lib/queries/run-page';
import { FEED_WORDS } from '../shell/feed-words';
import { ElapsedTime } from '../text/elapsed-time';
import { modelLabel } from '../text/model-label';
import { Monospace } from '../text/monospace';
import { RevealedText } from '../text/revealed-text';
import { RelativeTime } from '../text/relative-time';
import { classNames } from '../ui/class-names';
import { CopyButton } from '../ui/copy-button';
import { TONE_TEXT } from '../ui/tone';
import { CancelButton } from './cancel-button';
import type { RunCache } from './live/run-cache';
import { RunStatusMark } from './run-status';
import { ACCESS_WORDS, actorWords } from './run-words';
import { taskTitle } from './task-title';

interface RunHeaderProps {
  readonly view: RunPageView;
  readonly cache: RunCache;
  readonly feedState: FeedState;
  readonly canCancel: boolean;
}

/** Which run this is, how it stands, and the one thing that can be done to it while it lives. */
export function RunHeader({ view, cache, feedState, canCancel }: RunHeaderProps) {
  const { run, settings } = view;
  const { status } = cache.state;
  const live = !isTerminal(status);
  const title = taskTitle(run.task);
  return (
    <header className="grid gap-3">
      <nav aria-label="Path" className="flex items-center gap-1.5 text-xs text-ink-faint">
        <Link href="/runs" className="rounded-sm hover:text-accent">
          Runs
        </Link>
        <span aria-hidden>/</span>
        <span className="font-mono">{`${run.id.slice(0, 10)}…${run.id.slice(-4)}`}</span>
        <CopyButton text={run.id} what="run id" className="-my-2 -ml-1" />
      </nav>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h1 className="line-clamp-3 min-w-0 flex-1 basis-72 text-xl font-semibold tracking-tight break-words">
          <bdi><RevealedText text={title} kind="prose" /></bdi>
        </h1>
        {live && canCancel && status !== 'cancelling' ? <CancelButton runId={run.id} /> : null}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft">
        <RunStatusMark status={status} look="badge" />
        <span className="whitespace-nowrap">
          {cache.startedAt === null ? (
            <>
              submitted <RelativeTime at={run.created_at} focusable />
            </>
          ) : live ? (
            <ElapsedTime since={cache.startedAt} />
          ) : (
            <>
              <ElapsedTime since={cache.startedAt} until={cache.endedAt ?? undefined} />, ended <RelativeTime at={cache.endedAt ?? run.created_at} focusable />
            </>
          )}
        </span>
        <LiveState state={live ? feedState : 'ended'} />
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft">
        <Mention icon={UserRound}>{actorWords(view.createdBy, view.names)}</Mention>
        <Mention icon={GitCommitVertical}>
          {modelLabel(settings.model)} · turn {cache.state.turnNumber}, generation {run.generation}
        </Mention>
        <Mention icon={FolderGit2}>
          <Monospace text={run.workspace} /> · {ACCESS_WORDS[settings.access]}
        </Mention>
      </ul>
    </header>
  );
}

function Mention({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) {
  return (
    <li className="flex min-w-0 items-start gap-1.5">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

/** Whether the page moves with the run, in a word. */
function LiveState({ state }: { readonly state: FeedState }) {
  if (state === 'ended') return null;
  const { word, detail, tone } = FEED_WORDS[state];
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap" title={detail} data-feed={state}>
      <span aria-hidden className={classNames('size-2 rounded-full border-2 border-current', TONE_TEXT[tone], tone === 'good' && 'bg-current')} />
      {word}
    </span>
  );
}
