'use client';
import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useProjectChanges } from '../shell/feed-provider';

/** At most so often; a busy project changes many times a second. */
const EVERY_MS = 1_500;

/** Asks the server for the page anew when a run of the project changed: its queries are the truth, and stay in one place. */
export function LiveRefresh() {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useProjectChanges(() => {
    if (document.hidden) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      router.refresh();
    }, EVERY_MS);
  });
  useEffect(() => {
    const onVisible = (): void => {
      if (!document.hidden) router.refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      if (timer.current !== null) clearTimeout(timer.current);
    };
  }, [router]);
  return null;
}
