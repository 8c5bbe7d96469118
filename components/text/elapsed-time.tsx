'use client';
import { elapsed } from './amounts';
import { useNow } from './clock';

/** A clock that runs since `since`, or says how long it took until `until`. Never announced: it changes each second. */
export function ElapsedTime({ since, until }: { readonly since: string; readonly until?: string | undefined }) {
  const now = useNow();
  return <span aria-live="off">{elapsed((until === undefined ? now : Date.parse(until)) - Date.parse(since))}</span>;
}
