import type { ModelDelta, ModelOutcome } from '@/lib/agent/ports';
import { bodyReader } from '../body-reader';
import { frameRing } from '../frame-ring';
import { completionReader } from '../read-completion';

/** An event stream of these chunks; a string stands as it is. */
export function streamOf(...chunks: readonly (object | string)[]): string {
  return chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`)).join('');
}

export const DONE = 'data: [DONE]\n\n';

/** A chunk with this delta in the choice 0. */
export function delta(fields: object, finishReason: string | null = null): object {
  return { id: 'c1', choices: [{ index: 0, delta: fields, finish_reason: finishReason }] };
}

export function text(content: string): object {
  return delta({ content });
}

export function call(index: number | undefined, fields: { id?: string | null; name?: string | null; arguments?: unknown }): object {
  return delta({ tool_calls: [{ index, id: fields.id, function: { name: fields.name, arguments: fields.arguments } }] });
}

export function end(reason: string, usage?: object): object {
  return { ...delta({}, reason), ...(usage === undefined ? {} : { usage }) };
}

export const USAGE = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };

export interface ReadStreamOptions {
  readonly contentType?: string | null;
  /** Bytes that arrive together. Default: all. */
  readonly size?: number;
  /** Collects what a watcher would see. */
  readonly deltas?: ModelDelta[];
}

/** Reads a body that ends as HTTP says it should, without HTTP. */
export function readStream(body: string | Uint8Array, options: ReadStreamOptions = {}): ModelOutcome {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const reader = completionReader();
  const ring = frameRing();
  const contentType = options.contentType === undefined ? 'text/event-stream' : options.contentType;
  const into = bodyReader(contentType, reader, ring, (piece) => options.deltas?.push(piece));
  const size = options.size ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += size) {
    const ending = into.push(bytes.subarray(at, at + size));
    if (ending !== undefined) return reader.settle(ending, { frames: ring.frames() });
  }
  return reader.settle(into.end(), { frames: ring.frames() });
}
