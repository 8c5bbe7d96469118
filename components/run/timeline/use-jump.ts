'use client';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { LiveRun } from '../live/use-run';
import type { RowListHandle } from './row-list';
import type { TimelineRowItem } from './timeline-rows';

interface JumpParts {
  readonly run: LiveRun;
  readonly rows: readonly TimelineRowItem[];
  readonly list: RefObject<RowListHandle | null>;
}

interface Jump {
  readonly failure: (direction: 1 | -1) => void;
  /** What was done, for those who cannot see it. */
  readonly said: string;
}

/**
 * To an event by its number: from an address (`#e12`), or from failure to failure. A
 * place outside of what is loaded is loaded first.
 */
export function useJump({ run, rows, list }: JumpParts): Jump {
  const [wanted, setWanted] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const asked = useRef<number | null>(null);
  const at = useRef(0);
  const { events, failures } = run.cache;
  const { loadAround } = run;

  const goTo = useCallback((seq: number) => {
    asked.current = null;
    at.current = seq;
    setWanted(seq);
  }, []);

  useEffect(() => {
    const fromAddress = (): void => {
      const seq = /^#e(\d{1,15})$/.exec(location.hash)?.[1];
      if (seq !== undefined) goTo(Number(seq));
    };
    fromAddress();
    window.addEventListener('hashchange', fromAddress);
    return () => window.removeEventListener('hashchange', fromAddress);
  }, [goTo]);

  useEffect(() => {
    if (wanted === null) return;
    const first = events[0]?.seq ?? 0;
    const last = events.at(-1)?.seq ?? 0;
    if (wanted < first || wanted > last) {
      // Once: a place that does not exist is not looked for again and again.
      if (asked.current === wanted) return setWanted(null);
      asked.current = wanted;
      void loadAround(wanted);
      return;
    }
    const index = rowAt(rows, wanted);
    const row = rows[index];
    if (row !== undefined) {
      list.current?.scrollTo(index);
      // The row may be drawn only now; its own element then takes the focus, for the keyboard to go on from.
      requestAnimationFrame(() => {
        const element = document.getElementById(`e${row.seq}`);
        element?.setAttribute('tabindex', '-1');
        element?.focus({ preventScroll: true });
      });
    }
    setWanted(null);
  }, [wanted, events, rows, list, loadAround]);

  const failure = useCallback(
    (direction: 1 | -1) => {
      const next = direction === 1 ? failures.find((seq) => seq > at.current) : failures.findLast((seq) => seq < at.current);
      const seq = next ?? (direction === 1 ? failures[0] : failures.at(-1));
      if (seq === undefined) return setSaid('Nothing failed.');
      setSaid(`Failure ${failures.indexOf(seq) + 1} of ${failures.length}`);
      goTo(seq);
    },
    [failures, goTo],
  );

  return { failure, said };
}

/** The row that tells of an event: its own, or that of the item which it became part of. */
function rowAt(rows: readonly TimelineRowItem[], seq: number): number {
  let best = -1;
  rows.forEach((row, index) => {
    if (row.kind !== 'item') return;
    const known = rows[best]?.seq ?? -1;
    if (endOf(row) >= seq && row.seq <= seq && row.seq > known) best = index;
  });
  if (best !== -1) return best;
  rows.forEach((row, index) => {
    const known = rows[best]?.seq ?? -1;
    if (row.kind === 'item' && row.seq <= seq && row.seq > known) best = index;
  });
  return best;
}

/** The last event that an item was made of. */
function endOf(row: TimelineRowItem): number {
  return row.kind === 'item' ? row.item.lastSeq : row.seq;
}
