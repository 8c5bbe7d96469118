'use client';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';

/** The server's time in ms since the epoch; it moves on once a second in the browser. */
const Now = createContext(0);

interface ClockProps {
  /** When the server rendered: the first render in the browser must say the same. */
  readonly renderedAt: number;
  readonly children: ReactNode;
}

/** One clock a page, so that a hundred times in a list cost one timer. */
export function Clock({ renderedAt, children }: ClockProps) {
  const [now, setNow] = useState(renderedAt);
  useEffect(() => {
    // A browser whose clock is wrong would show runs that began in the future.
    const off = renderedAt - Date.now();
    const correction = Math.abs(off) > 90_000 ? off : 0;
    const tick = (): void => setNow(Date.now() + correction);
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [renderedAt]);
  return <Now value={now}>{children}</Now>;
}

export const useNow = (): number => useContext(Now);
