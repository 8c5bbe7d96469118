'use client';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from 'react';

export interface RowListHandle {
  /** Brings a row into sight. */
  readonly scrollTo: (index: number) => void;
}

interface Row {
  readonly key: string;
}

interface RowListProps<R extends Row> {
  readonly rows: readonly R[];
  readonly renderRow: (row: R) => ReactNode;
  readonly handle?: Ref<RowListHandle>;
}

/** Up to here a log is plain HTML: whole without JavaScript, searchable, printable, with working anchors. */
const PLAIN_ROWS = 600;

/** A list that is plain while it is short, and draws only what is in sight when it is long. */
export function RowList<R extends Row>(props: RowListProps<R>) {
  return props.rows.length <= PLAIN_ROWS ? <PlainRows {...props} /> : <VirtualRows {...props} />;
}

function PlainRows<R extends Row>({ rows, renderRow, handle }: RowListProps<R>) {
  const list = useRef<HTMLOListElement>(null);
  useImperativeHandle(handle, () => ({ scrollTo: (index) => list.current?.children[index]?.scrollIntoView({ block: 'center' }) }), []);
  return (
    <ol ref={list}>
      {rows.map((row) => (
        <li key={row.key} className="render-when-near">
          {renderRow(row)}
        </li>
      ))}
    </ol>
  );
}

function VirtualRows<R extends Row>({ rows, renderRow, handle }: RowListProps<R>) {
  const list = useRef<HTMLOListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => setMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 72,
    overscan: 12,
    scrollMargin: margin,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  useImperativeHandle(handle, () => ({ scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'center' }) }), [virtualizer]);
  // Rows above that turn out higher than estimated must not push what is being read.
  useEffect(() => {
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item) => item.start < (virtualizer.scrollOffset ?? 0);
  }, [virtualizer]);
  return (
    <ol ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return row === undefined ? null : (
          <li
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${item.start - virtualizer.options.scrollMargin}px)` }}
          >
            {renderRow(row)}
          </li>
        );
      })}
    </ol>
  );
}
