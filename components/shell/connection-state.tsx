'use client';
import { classNames } from '../ui/class-names';
import { TONE_TEXT } from '../ui/tone';
import { useFeedState } from './feed-provider';
import { FEED_WORDS } from './feed-words';

/** Whether what is on the page is what is, in a word. */
export function ConnectionState({ className }: { readonly className?: string }) {
  const { word, detail, tone } = FEED_WORDS[useFeedState()];
  return (
    <p role="status" title={detail} className={classNames('flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-soft', className)}>
      <span aria-hidden className={classNames('size-2 rounded-full border-2 border-current', TONE_TEXT[tone], tone === 'good' && 'bg-current')} />
      {word}
    </p>
  );
}
