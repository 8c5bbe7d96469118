/**
 * Passes deltas on in order, each well formed: some endpoints send the two halves
 * of one character in two chunks, and a watcher who stores or cleans each piece by
 * itself would lose it.
 */
import type { ModelDelta } from '@/lib/agent/ports';

export interface DeltaFeed {
  readonly push: (delta: ModelDelta) => void;
  /** The answer is at its end: a half that is still held goes out as it is. */
  flush(): void;
}

export function deltaFeed(onDelta: (delta: ModelDelta) => void): DeltaFeed {
  const held: Record<ModelDelta['kind'], string> = { reasoning: '', text: '' };
  return {
    push({ kind, text }) {
      const joined = held[kind] + text;
      held[kind] = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? '';
      const whole = joined.slice(0, joined.length - held[kind].length);
      if (whole !== '') onDelta({ kind, text: whole });
    },
    flush() {
      for (const kind of ['reasoning', 'text'] as const) {
        if (held[kind] !== '') onDelta({ kind, text: held[kind] });
        held[kind] = '';
      }
    },
  };
}
