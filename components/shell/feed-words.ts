import type { FeedState } from '@/lib/live/run-feed';
import type { Tone } from '../ui/tone';

export interface FeedWords {
  readonly word: string;
  readonly detail: string;
  readonly tone: Tone;
}

export const FEED_WORDS: Readonly<Record<FeedState, FeedWords>> = {
  connecting: { word: 'Connecting', detail: 'The page is complete as of its loading; it becomes live in a moment.', tone: 'neutral' },
  live: { word: 'Live', detail: 'Changes are shown as they happen.', tone: 'good' },
  reconnecting: { word: 'Reconnecting', detail: 'The connection was lost. What is missed meanwhile is made up for.', tone: 'warn' },
  offline: { word: 'Offline', detail: 'This browser has no network. It goes on by itself, without a gap.', tone: 'warn' },
  signed_out: { word: 'Signed out', detail: 'The session is over. Sign in again to see what is new.', tone: 'bad' },
  ended: { word: 'Complete', detail: 'Everything is on this page.', tone: 'neutral' },
};
