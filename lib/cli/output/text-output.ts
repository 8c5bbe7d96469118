/** Where text goes: stdout for results, stderr for progress. */
import type { Writable } from 'node:stream';

export interface TextOutput {
  /** Never throws and never waits; what a slow reader has not taken is kept. */
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Characters on a line of the terminal. */
  readonly columns: number;
  /** Bytes that the reader has not taken yet. */
  readonly backlog: number;
  /** Resolves when everything is written, or can never be. */
  flushed(): Promise<void>;
}

interface TerminalStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * A stream as an output. A reader that goes away (`| head -1`) is no failure of the
 * run: what is written after that is dropped.
 *
 * @param onFailure told once when writing fails for another reason: a full disk, say.
 */
export function streamOutput(stream: TerminalStream, onFailure: (error: Error) => void = () => undefined): TextOutput {
  // Bound now: whatever replaces `stream.write` later (guard-stdout.ts) is not for us.
  const write = stream.write.bind(stream) as (text: string, done: () => void) => boolean;
  let usable = true;
  let pending = 0;
  const waiting = new Set<() => void>();
  const settle = (): void => {
    if (usable && pending > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const stop = (): void => {
    usable = false;
    settle();
  };
  stream.on('error', (error: Error) => {
    if (usable && (!('code' in error) || error.code !== 'EPIPE')) onFailure(error);
    stop();
  });
  stream.on('close', stop);

  return {
    write(text) {
      if (!usable || text === '') return;
      pending += 1;
      write(text, () => {
        pending -= 1;
        settle();
      });
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      // A terminal that does not know its size says 0.
      return stream.columns === undefined || stream.columns === 0 ? 80 : stream.columns;
    },
    get backlog() {
      return usable ? stream.writableLength : 0;
    },
    flushed: () =>
      new Promise((resolve) => {
        waiting.add(resolve);
        settle();
      }),
  };
}
