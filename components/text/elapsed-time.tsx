'use client';
import { duration, elapsed } from './amounts';
import { useNow } from './clock';

/** A clock that runs since `since`, or says how long it took until `until`. Never announced: it changes each second. */
export function ElapsedTime({ since, until }: { readonly since: string; readonly until?: string | undefined }) {
  const now = useNow();
  const began = Date.parse(since);
  return <span aria-live="off">{until === undefined ? elapsed(now - began) : duration(Date.parse(until) - began)}</span>;
}
