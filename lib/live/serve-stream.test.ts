import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Frame } from './frame';
import { openStreams, serveStream, type FrameBatches, type ServeStream } from './serve-stream';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  expect(openStreams()).toBe(0);
  vi.useRealTimers();
});

/** Frames that a test says one by one. */
class Source implements FrameBatches {
  readonly asked: string[] = [];
  #waiting: Frame[][] = [];
  #answer: ((result: IteratorResult<readonly Frame[]>) => void) | null = null;
  #over = false;
  signal: AbortSignal = new AbortController().signal;

  say(...data: string[]): void {
    this.#waiting.push(data.map((one) => ({ data: one })));
    this.#look();
  }

  end(): void {
    this.#over = true;
    this.#look();
  }

  next(): Promise<IteratorResult<readonly Frame[]>> {
    this.asked.push('next');
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#look();
    });
  }

  #look(): void {
    if (this.#answer === null) return;
    const frames = this.#waiting.splice(0).flat();
    if (frames.length === 0 && !this.#over) return;
    this.#answer(frames.length > 0 ? { done: false, value: frames } : { done: true, value: undefined });
    this.#answer = null;
  }
}

async function serve(options: Partial<ServeStream> = {}) {
  const source = new Source();
  const client = new AbortController();
  const response = await serveStream({
    signal: client.signal,
    open: (signal) => {
      source.signal = signal;
      return source;
    },
    ...options,
  });
  if (response?.body === null || response === null) throw new Error('no body');
  const body = response.body.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<string | null> => {
    const { done, value } = await body.read();
    return done ? null : decoder.decode(value);
  };
  expect(await read()).toBe('retry: 1000\n: open\n\n');
  return { source, client, response, body, read };
}

test('has the headers that keep every proxy from holding it back', async () => {
  const { response, client } = await serve();
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  client.abort();
});

test('sends what comes within 20 ms together, and what comes after a silence at once', async () => {
  const { source, read, client } = await serve();
  await vi.advanceTimersByTimeAsync(100);
  const first = read();
  source.say('1');
  expect(await first).toBe('data: 1\n\n');
  const second = read();
  source.say('2');
  await vi.advanceTimersByTimeAsync(10);
  source.say('3');
  await vi.advanceTimersByTimeAsync(10);
  expect(await second).toBe('data: 2\n\ndata: 3\n\n');
  client.abort();
});

test('beats every 15 s while nothing comes, for an EventSource with an event too', async () => {
  const plain = await serve();
  const event = await serve({ heartbeat: 'event' });
  const [one, two] = [plain.read(), event.read()];
  await vi.advanceTimersByTimeAsync(15_100);
  expect(await one).toBe(': heartbeat\n\n');
  expect(await two).toBe(': heartbeat\n\nevent: stream.heartbeat\ndata: {}\n\n');
  plain.client.abort();
  event.client.abort();
});

test('reads nothing for a reader who does not read, and gives it up after a minute', async () => {
  const { source, body } = await serve();
  const asked = source.asked.length;
  source.say('1');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(source.asked.length).toBe(asked);
  expect(source.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(source.signal.aborted).toBe(true);
  expect((await body.read()).done).toBe(true);
});

test.each([
  ['the request is aborted', (one: Awaited<ReturnType<typeof serve>>) => one.client.abort()],
  ['the body is cancelled', (one: Awaited<ReturnType<typeof serve>>) => void one.body.cancel()],
])('gives everything back when %s', async (_name, leave) => {
  const one = await serve();
  const pending = one.read();
  leave(one);
  expect(await pending).toBeNull();
  expect(one.source.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(20); // a window that was open
  expect(vi.getTimerCount()).toBe(0);
});

test('ends when the frames end', async () => {
  const { source, read } = await serve();
  await vi.advanceTimersByTimeAsync(30);
  source.say('last');
  expect(await read()).toBe('data: last\n\n');
  source.end();
  const after = read();
  await vi.advanceTimersByTimeAsync(30);
  expect(await after).toBeNull();
});

test('closes with a named event when the right to watch is withdrawn, but not because nobody could be asked', async () => {
  const answers: (boolean | Error)[] = [true, new Error('database'), true, false];
  const { read, source } = await serve({
    stillAllowed: async () => {
      const answer = answers.shift() ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const said = [read(), read(), read()];
  await vi.advanceTimersByTimeAsync(39_000);
  expect(source.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await Promise.all(said)).toEqual([': heartbeat\n\n', ': heartbeat\n\n', 'event: stream.revoked\ndata: {}\n\n']);
  expect(await read()).toBeNull();
});

test('is no stream where there is nothing to stream', async () => {
  expect(await serveStream({ signal: new AbortController().signal, open: () => null })).toBeNull();
});
