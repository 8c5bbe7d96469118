'use client';
import { ArrowDown, ArrowDownWideNarrow, ArrowUp, ArrowUpNarrowWide, ListFilter, Pause, Play } from 'lucide-react';
import { count } from '../../text/amounts';
import { Button } from '../../ui/button';
import { ShortcutsDialog } from './shortcuts-dialog';

interface TimelineToolbarProps {
  readonly live: boolean;
  readonly paused: boolean;
  readonly buffered: number;
  readonly onPause: () => void;
  readonly failedOnly: boolean;
  readonly onFailedOnly: () => void;
  readonly descending: boolean;
  readonly onOrder: () => void;
  readonly failures: number;
  readonly onFailure: (direction: 1 | -1) => void;
}

export function TimelineToolbar(props: TimelineToolbarProps) {
  const { live, paused, buffered, failedOnly, descending, failures } = props;
  return (
    <div role="toolbar" aria-label="Timeline" className="mb-2 flex flex-wrap items-center gap-1.5">
      {live ? (
        <Button size="small" onClick={props.onPause} aria-pressed={paused}>
          {paused ? <Play aria-hidden /> : <Pause aria-hidden />}
          {paused ? `Go on${buffered > 0 ? ` (${count(buffered)} waiting)` : ''}` : 'Pause the view'}
        </Button>
      ) : null}
      <Button size="small" look={failedOnly ? 'primary' : 'plain'} onClick={props.onFailedOnly} aria-pressed={failedOnly}>
        <ListFilter aria-hidden />
        Failed only
      </Button>
      <Button size="small" onClick={props.onOrder} aria-pressed={descending}>
        {descending ? <ArrowUpNarrowWide aria-hidden /> : <ArrowDownWideNarrow aria-hidden />}
        {descending ? 'Newest first' : 'Oldest first'}
      </Button>
      {failures === 0 ? null : (
        <span className="flex items-center">
          <Button size="small" className="rounded-r-none" onClick={() => props.onFailure(-1)} aria-label="Previous failure">
            <ArrowUp aria-hidden />
          </Button>
          <Button size="small" className="-ml-px rounded-l-none" onClick={() => props.onFailure(1)}>
            <ArrowDown aria-hidden />
            Next failure ({count(failures)})
          </Button>
        </span>
      )}
      <span className="ml-auto">
        <ShortcutsDialog />
      </span>
    </div>
  );
}
