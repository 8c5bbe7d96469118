'use client';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end that whoever reads is reading along. */
const NEAR = 160;

const isNear = (): boolean => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - NEAR;

/**
 * Keeps the end in sight for those who are at the end, and moves nothing for those who
 * are not: they are told how much there is below.
 */
export function useFollow({ active, length }: { readonly active: boolean; readonly length: number }): {
  readonly behind: number;
  readonly toEnd: () => void;
} {
  const near = useRef(false);
  const seen = useRef(length);
  const [behind, setBehind] = useState(0);

  useEffect(() => {
    const onScroll = (): void => {
      near.current = isNear();
      if (near.current) setBehind(0);
    };
    onScroll();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);

  const toEnd = useCallback(() => {
    window.scrollTo({ top: document.documentElement.scrollHeight });
    setBehind(0);
  }, []);

  useLayoutEffect(() => {
    const more = length - seen.current;
    seen.current = length;
    if (more <= 0 || !active) return;
    if (near.current) window.scrollTo({ top: document.documentElement.scrollHeight });
    else setBehind((before) => before + more);
  }, [length, active]);

  return { behind: active ? behind : 0, toEnd };
}
