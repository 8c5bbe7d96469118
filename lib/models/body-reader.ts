/**
 * Bytes of a 200's body into a completion reader: an event stream, or one JSON
 * object from an endpoint that ignores `stream`. What the body *is* decides, not
 * what its header says, since proxies label streams `text/html` and errors
 * `text/event-stream`; the header is named when the body is neither.
 *
 * The SDK's own stream is not used: it ends an HTML page, a cut body and an abort
 * as if the answer were complete, splits a BOM wrongly and loses the `error` event's
 * usage. Framing (CR, LF, CRLF, comments) is eventsource-parser's.
 */
import { createParser } from 'eventsource-parser';
import type { ModelDelta } from '@/lib/agent/ports';
import { failureOf } from './classify-failure';
import type { FrameRing } from './frame-ring';
import type { CompletionReader, ReadingEnd } from './read-completion';

export interface BodyReader {
  /** Returns the end as soon as nothing further can matter. */
  push(bytes: Uint8Array): ReadingEnd | undefined;
  /** The body ended as HTTP says it should. */
  end(): ReadingEnd;
  /** The body did not end; what is left of a frame is kept as evidence only. */
  cut(): void;
}

type Format = 'undecided' | 'events' | 'json' | 'other';

/** In UTF-16 units. An event or a body beyond it is refused instead of filling the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;
const MAX_JSON_LENGTH = 64 * 1024 * 1024;

export function bodyReader(
  contentType: string | null,
  reader: CompletionReader,
  ring: FrameRing,
  emit: (delta: ModelDelta) => void,
): BodyReader {
  // Strips a BOM, joins characters that are split over chunks.
  const decoder = new TextDecoder('utf-8');
  let format: Format = 'undecided';
  let pending = '';
  let problem: string | undefined;
  /** `tail`: what follows the last complete frame of an ended body; `cut`: of a body that did not end. */
  let mode: 'reading' | 'tail' | 'cut' = 'reading';

  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event, data }) => {
      ring.push(event === undefined ? data : `event: ${event}\n${data}`);
      if (mode === 'cut' || problem !== undefined || reader.isOver()) return;
      const payload = data.trim();
      if (payload === '') return;
      if (payload === '[DONE]') {
        reader.done();
        return;
      }
      const parsed = parseJson(payload);
      if (event === 'error') reader.errorEvent(parsed.ok ? parsed.value : payload);
      else if (parsed.ok) reader.chunk(parsed.value).forEach(emit);
      // Half a frame at the very end is a cut, which the missing evidence tells.
      else if (mode === 'reading') problem = 'The stream holds a chunk that is not valid JSON.';
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') problem = 'The stream holds an event beyond the size limit.';
    },
  });

  const take = (text: string): void => {
    if (problem !== undefined) return;
    if (format === 'events') {
      parser.feed(text);
      return;
    }
    pending += text;
    if (format === 'undecided') {
      format = formatOf(pending, contentType);
      if (format === 'events') {
        const held = pending;
        pending = '';
        parser.feed(held);
      }
    }
    if (pending.length > MAX_JSON_LENGTH) problem = 'The body is beyond the size limit.';
  };

  const verdict = (): ReadingEnd | undefined => {
    if (problem !== undefined) return malformed(problem);
    return reader.isOver() ? { kind: 'ended' } : undefined;
  };

  return {
    push(bytes) {
      take(decoder.decode(bytes, { stream: true }));
      return verdict();
    },

    end() {
      take(decoder.decode());
      mode = 'tail';
      // A last event counts without the blank line that should follow it.
      if (format === 'events' && problem === undefined) parser.feed('\n\n');
      if (format !== 'events' && pending.trim() !== '') {
        ring.push(pending);
        const parsed = format === 'json' ? parseJson(pending) : undefined;
        if (parsed?.ok === true) reader.body(parsed.value).forEach(emit);
        else problem ??= `The endpoint answered with content type ${named(contentType)} and a body that is no completion.`;
      }
      return verdict() ?? { kind: 'ended' };
    },

    cut() {
      mode = 'cut';
      if (format === 'events' && problem === undefined) parser.feed('\n\n');
      else if (pending !== '') ring.push(pending);
    },
  };
}

const EVENT_FIELD = /^(data|event|id|retry)(:|\s|$)/;

function formatOf(text: string, contentType: string | null): Format {
  const start = text.trimStart();
  if (start === '') return 'undecided';
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  if (start.startsWith(':')) return 'events';
  if (start.startsWith('<')) return 'other';
  if (contentType?.toLowerCase().includes('event-stream') === true) return 'events';
  const lineEnd = start.search(/[\r\n]/);
  if (lineEnd === -1 && start.length < 'retry:'.length) return 'undecided';
  return EVENT_FIELD.test(start) ? 'events' : 'other';
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

function malformed(message: string): ReadingEnd {
  return { kind: 'failed', failure: failureOf('malformed', message) };
}

function named(contentType: string | null): string {
  return contentType === null ? '(none)' : JSON.stringify(contentType.slice(0, 100));
}
