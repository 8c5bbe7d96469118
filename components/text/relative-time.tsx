'use client';
import { useState } from 'react';
import { relative } from './amounts';
import { useNow } from './clock';
import { exactTime } from './exact-time';

interface RelativeTimeProps {
  /** RFC 3339. */
  readonly at: string;
  /** Within a link or a dense list it is no stop of its own. */
  readonly focusable?: boolean;
  readonly className?: string;
}

/** `5 min ago`; the exact time in its title, and in its place while it has the focus. */
export function RelativeTime({ at, focusable = false, className }: RelativeTimeProps) {
  const now = useNow();
  const [focused, setFocused] = useState(false);
  const exact = exactTime(at);
  return (
    <time
      dateTime={at}
      title={exact}
      className={className}
      {...(focusable ? { tabIndex: 0, onFocus: () => setFocused(true), onBlur: () => setFocused(false) } : {})}
    >
      {focused ? exact : relative(now - Date.parse(at))}
    </time>
  );
}
