/** How often something is sent that may be gathered: at once after a silence, else once a window, never twice at a time. */
export interface SendWindow {
  /** Something waits to be sent. Never throws, never waits. */
  ask(): void;
  /** Sends what waits, then nothing more. */
  close(): Promise<void>;
}

/**
 * @param send takes all that waits and sends it. What it rejects with is dropped: for
 *   asides only.
 */
export function openWindow(windowMs: number, send: () => Promise<void>): SendWindow {
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let asked = false;
  let closed = false;
  let lastSent = -Infinity;

  const flush = (): void => {
    timer = undefined;
    if (sending !== null) return; // its end looks again
    asked = false;
    lastSent = performance.now();
    sending = send()
      .catch(() => undefined)
      .finally(() => {
        sending = null;
        if (asked) plan();
      });
  };
  const plan = (): void => {
    // A tick later at the earliest: who commits several runs at once names them together.
    if (!closed) timer ??= setTimeout(flush, Math.max(0, windowMs - (performance.now() - lastSent)));
  };
  return {
    ask() {
      if (closed) return;
      asked = true;
      plan();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await sending;
      if (asked) flush();
      await sending;
    },
  };
}
