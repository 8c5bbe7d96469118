'use client';
import { useEffect, useRef } from 'react';
import { shortcutsAreOn } from './shortcuts-setting';

export type TimelineKey = 'n' | 'p' | 'f' | 'o' | 'l' | 'e';

/** Single keys act where nobody types, no dialog is open, and the person has not turned them off. */
export function useTimelineKeys(actions: Readonly<Record<TimelineKey, () => unknown>>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !shortcutsAreOn()) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu]') !== null) return;
      const action = (latest.current as Partial<Record<string, () => unknown>>)[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
