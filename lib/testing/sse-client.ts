import { createParser } from 'eventsource-parser';

export interface SseMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  /** By `performance.now()`. */
  readonly at: number;
}

/** A reader of an event stream over HTTP that does not reconnect by itself. */
export interface SseClient {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: readonly SseMessage[];
  readonly comments: readonly string[];
  /** Resolves when the server has ended the stream, or this client left. */
  readonly ended: Promise<void>;
  readonly isOver: () => boolean;
  leave(): void;
}

export async function openSse(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SseClient> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: leaving.signal });
  const messages: SseMessage[] = [];
  const comments: string[] = [];
  let over = false;
  const parser = createParser({
    onEvent: ({ id, event, data }) => messages.push({ id, event, data: JSON.parse(data) as SseMessage['data'], at: performance.now() }),
    onComment: (comment) => comments.push(comment),
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
    } catch {
      // Cut, by us or by the server's end.
    }
    over = true;
  };
  const ended = response.headers.get('content-type')?.startsWith('text/event-stream') === true ? read() : Promise.resolve();
  return { status: response.status, headers: response.headers, messages, comments, ended, isOver: () => over, leave: () => leaving.abort() };
}
