'use client';
import { memo } from 'react';
import { CallRow } from './call-row';
import { MarkRow } from './mark-row';
import { MessageRow } from './message-row';
import { RequestRow } from './request-row';
import { sameItem } from './same-item';
import type { TimelineItem } from './timeline-item';
import { VerificationRow } from './verification-row';

interface TimelineItemViewProps {
  readonly item: TimelineItem;
  /** The run goes on: what has no end yet may still get one. */
  readonly live: boolean;
}

/** Drawn anew only when something of it changed: a long log gets a token at a time. */
export const TimelineItemView = memo(
  function TimelineItemView({ item, live }: TimelineItemViewProps) {
    switch (item.kind) {
      case 'call':
        return <CallRow call={item} />;
      case 'request':
        return <RequestRow request={item} live={live} />;
      case 'message':
        return <MessageRow message={item} />;
      case 'verification':
        return <VerificationRow verification={item} live={live} />;
      case 'mark':
        return <MarkRow mark={item} />;
    }
  },
  (before, after) => before.live === after.live && sameItem(before.item, after.item),
);
