/**
 * The last raw pieces of a response, kept as evidence of a failure (domain.md
 * §12). Bounded in number and in UTF-8 bytes, so that an endless stream costs
 * nothing: the oldest go first, and one that is too large by itself is cut.
 */
import { byteLength, truncateBytes } from '@/lib/domain/truncate';

export const MAX_FRAMES = 64;
export const MAX_FRAME_BYTES = 64 * 1024;

export interface FrameRing {
  push(frame: string): void;
  frames(): readonly string[];
}

export function frameRing(maxFrames = MAX_FRAMES, maxBytes = MAX_FRAME_BYTES): FrameRing {
  const kept: { readonly text: string; readonly bytes: number }[] = [];
  let bytesKept = 0;
  return {
    push(frame) {
      // A character is at least a byte: what lies beyond is not worth encoding.
      const { text } = truncateBytes(frame.slice(0, maxBytes), maxBytes);
      const bytes = byteLength(text);
      kept.push({ text, bytes });
      bytesKept += bytes;
      while (kept.length > maxFrames || bytesKept > maxBytes) bytesKept -= kept.shift()?.bytes ?? 0;
    },
    frames: () => kept.map((frame) => frame.text),
  };
}
