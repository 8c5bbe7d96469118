import { Worker } from 'node:worker_threads';

/**
 * Runs in a thread of its own, because a pattern can take for ever ("(a+)+$") and
 * only a thread can be ended from outside in the middle of one. As text, so that no
 * bundler has to know about a second file.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ text, maxHits }) => {
  const hits = [];
  let position = 0;
  for (let line = 1; position <= text.length && hits.length < maxHits; line += 1) {
    let end = text.indexOf('\\n', position);
    if (end < 0) end = text.length;
    const stop = end > position && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    const content = text.slice(position, stop);
    if (!(position === text.length && line > 1) && pattern.test(content)) {
      hits.push({ line, text: content.length > 2000 ? content.slice(0, 2000) : content });
    }
    position = end + 1;
  }
  parentPort.postMessage(hits);
});
`;

export interface SearchHit {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface LineSearch {
  /** null: the time of the whole search is used up, or it was stopped; the search is then over. One at a time. */
  search(text: string, maxHits: number): Promise<readonly SearchHit[] | null>;
  close(): Promise<void>;
}

/** @param pattern a compiled one: its source and flags are known to be valid. */
export function startLineSearch(pattern: RegExp, timeoutMs: number, signal: AbortSignal): LineSearch {
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { source: pattern.source, flags: pattern.flags },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let settle: ((hits: readonly SearchHit[] | null) => void) | null = null;
  let over = false;
  const answer = (hits: readonly SearchHit[] | null): void => {
    const waiting = settle;
    settle = null;
    waiting?.(hits);
  };
  const end = (): void => {
    over = true;
    answer(null);
  };
  worker.on('message', (hits: readonly SearchHit[]) => answer(hits));
  worker.on('error', end);
  worker.on('exit', end);
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return {
    search: (text, maxHits) =>
      new Promise((resolve) => {
        if (over) {
          resolve(null);
          return;
        }
        settle = resolve;
        worker.postMessage({ text, maxHits });
      }),
    async close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      await worker.terminate();
    },
  };
}
