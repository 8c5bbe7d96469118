/**
 * A real HTTP server on 127.0.0.1 that answers chat completions as a test says,
 * down to the byte: split anywhere, delayed, cut, hung. Requests are answered in
 * the order of `push`; each is kept for assertions. It holds no state of a
 * conversation and judges requests only when asked to (`strict`).
 */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpError } from './fake-openai-answers';
import { offenceOf } from './fake-openai-strictness';

export * from './fake-openai-answers';

/** Bytes as one write, or a wait before the next one. */
export type BodyPart = string | Uint8Array | { readonly delayMs: number } | { readonly until: Promise<unknown> };

export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly BodyPart[];
  /** Each write is at most this many bytes. */
  readonly splitEvery?: number;
  /** Writes end at these byte offsets of the whole body; parts are joined first, waits are lost. */
  readonly splitAt?: readonly number[];
  /** After the body: end it (default), destroy the socket, or send nothing more. */
  readonly then?: 'end' | 'cut' | 'hang';
  /** Destroy the socket after this many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** Destroy the socket before any status line. */
  readonly refuse?: boolean;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyText: string;
  /** Parsed, where it is JSON. */
  readonly body: FakeChatRequest;
}

/** What tests look at; everything else a request holds is in `bodyText`. */
export interface FakeChatRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly messages?: readonly FakeChatMessage[];
  readonly tools?: readonly { readonly function?: { readonly name?: string; readonly parameters?: unknown } }[];
}

export interface FakeChatMessage {
  readonly role?: string;
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

export type FakeAnswer = FakeResponse | ((request: RecordedRequest) => FakeResponse | Promise<FakeResponse>);

export interface FakeOpenai {
  /** The base URL to configure, `/v1` included. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  push(...answers: readonly FakeAnswer[]): void;
  /** Answers every request for which nothing was pushed. */
  always(answer: FakeAnswer): void;
  /** Answers that nobody has asked for yet. */
  unused(): number;
  /** Resolves when `count` requests have been received in all. */
  received(count: number): Promise<RecordedRequest>;
  /** Resolves when the clients of `count` answers that were not ended have gone. */
  abandoned(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface FakeOpenaiOptions {
  /** Refuse with 400 what a strict endpoint refuses (fake-openai-strictness.ts). */
  readonly strict?: boolean;
}

export async function startFakeOpenai(options: FakeOpenaiOptions = {}): Promise<FakeOpenai> {
  const answers: FakeAnswer[] = [];
  const requests: RecordedRequest[] = [];
  let fallback: FakeAnswer | undefined;
  let goneCount = 0;
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const check of [...waiting]) check();
  };
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await record(incoming);
    requests.push(request);
    changed();
    outgoing.once('close', () => {
      if (outgoing.writableEnded) return;
      goneCount += 1;
      changed();
    });
    const offence = options.strict === true ? offenceOf(request.body) : undefined;
    // A refused request uses up no answer: the test sees the refusal instead.
    const chosen = offence === undefined ? (answers.shift() ?? fallback) : httpError(400, { message: offence, type: 'invalid_request_error', code: 'refused_by_fake' });
    const response = chosen ?? httpError(400, { message: 'The test pushed no answer for this request.', type: 'invalid_request_error', code: 'no_answer' });
    await send(outgoing, typeof response === 'function' ? await response(request) : response);
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    push: (...more) => void answers.push(...more),
    always(given) {
      fallback = given;
    },
    unused: () => answers.length,
    received: (count) => until(() => requests[count - 1]),
    abandoned: async (count) => {
      await until(() => (goneCount >= count ? true : undefined));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

// ---------------------------------------------------------------- sending

async function send(outgoing: ServerResponse, response: FakeResponse): Promise<void> {
  if (response.refuse === true) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(response.status ?? 200, response.headers ?? {});
  outgoing.flushHeaders();
  let left = response.cutAfterBytes ?? Number.POSITIVE_INFINITY;
  for (const part of writesOf(response)) {
    if (outgoing.destroyed) return;
    if (!(part instanceof Uint8Array)) {
      await ('until' in part ? part.until : new Promise((resolve) => setTimeout(resolve, part.delayMs)));
      continue;
    }
    await write(outgoing, part.subarray(0, left));
    left -= part.length;
    if (left <= 0) {
      outgoing.destroy();
      return;
    }
  }
  if (response.then === 'cut') outgoing.destroy();
  else if (response.then !== 'hang') outgoing.end();
}

/** One HTTP chunk a write, given to the socket before the next: a cut must not overtake what was sent. */
function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0 || outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    outgoing.once('close', resolve);
    outgoing.write(bytes, () => {
      outgoing.off('close', resolve);
      setImmediate(resolve);
    });
  });
}

type Write = Uint8Array | { readonly delayMs: number } | { readonly until: Promise<unknown> };

function writesOf(response: FakeResponse): readonly Write[] {
  const writes = response.body.map((part): Write => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part));
  if (response.splitAt !== undefined) {
    const whole = Buffer.concat(writes.filter((part) => part instanceof Uint8Array));
    const ends = [...response.splitAt, whole.length];
    return ends.map((end, position) => whole.subarray(position === 0 ? 0 : ends[position - 1], end));
  }
  const size = response.splitEvery;
  if (size === undefined) return writes;
  return writes.flatMap((part): Write[] =>
    part instanceof Uint8Array
      ? Array.from({ length: Math.ceil(part.length / size) }, (_, piece) => part.subarray(piece * size, (piece + 1) * size))
      : [part],
  );
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const bytes: Uint8Array[] = [];
  for await (const part of incoming) bytes.push(part as Uint8Array);
  const bodyText = Buffer.concat(bytes).toString('utf8');
  let body: FakeChatRequest = {};
  try {
    body = JSON.parse(bodyText) as FakeChatRequest;
  } catch {
    // Kept as text; a test that expects JSON sees an empty body.
  }
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, bodyText, body };
}
