/**
 * Coalesces the pieces of one stream for whoever watches: redacted with hold-back,
 * sent about every 50 ms (architecture.md §4). An aside: never waited for.
 */
import type { IntakePort } from './ports';

const WINDOW_MS = 50;

export interface LiveStream {
  push(piece: string): void;
  /** Sends what was held back. After it nothing is sent. */
  end(): void;
}

/**
 * @param send gets the redacted text and its offset in characters of the redacted stream.
 * @param open asked before each sending; once false, the rest is dropped (I7).
 */
export function liveStream(intake: IntakePort, open: () => boolean, send: (text: string, offset: number) => void): LiveStream {
  const redacting = intake.stream();
  let waiting = '';
  let offset = 0;
  let timer: NodeJS.Timeout | null = null;
  let ended = false;

  const flush = (): void => {
    timer = null;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    if (open()) send(text, offset);
    offset += text.length;
  };
  return {
    push(piece) {
      if (ended) return;
      waiting += redacting.push(piece);
      timer ??= setTimeout(flush, WINDOW_MS);
    },
    end() {
      if (ended) return;
      ended = true;
      if (timer !== null) clearTimeout(timer);
      waiting += redacting.flush();
      flush();
    },
  };
}
