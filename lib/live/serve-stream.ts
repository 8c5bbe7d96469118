/**
 * From frames to an HTTP response.
 *
 * The body is pulled: nothing is read for a reader who does not read, so what waits for
 * it is one chunk here and its place in the channel. It ends, and its place is given
 * back, in each of these ways: the frames end; the client goes (the request's signal
 * fires, or the body is cancelled); it reads nothing for STALLED_MS; its right to watch
 * is withdrawn; the process ends (`closeAllStreams`).
 */
import { encodeFrame, HEARTBEAT_COMMENT, signalFrame, type Frame } from './frame';
import { registerStream } from './open-streams';

export { closeAllStreams, openStreams } from './open-streams';

export interface ServeStream {
  /** The request's: fires when the client has gone. */
  readonly signal: AbortSignal;
  /** Frames in batches, which end soon after the signal given here fires; null: there is nothing to stream. */
  readonly open: (signal: AbortSignal) => Promise<FrameBatches | null> | FrameBatches | null;
  /** `event`, beside the comment, where the reader is an EventSource: that does not show comments. */
  readonly heartbeat?: 'comment' | 'event';
  /** Asked about every 10 s; false closes the stream. A rejection means "not known": asked again, and three in a row close it. */
  readonly stillAllowed?: () => Promise<boolean>;
}

export type FrameBatches = AsyncIterator<readonly Frame[], unknown, void>;

/** Unbatched, a web server falls seconds behind at a thousand readers (architecture.md §4). */
const WINDOW_MS = 20;
const HEARTBEAT_MS = 15_000;
const STALLED_MS = 60_000;
const RECHECK_MS = 10_000;
const UNKNOWN_LIMIT = 3;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** So that headers go out at once and the reader knows that it is connected. */
const GREETING = 'retry: 1000\n: open\n\n';

/** @returns null where `open` did. */
export async function serveStream(stream: ServeStream): Promise<Response | null> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  if (stream.signal.aborted) stop();
  stream.signal.addEventListener('abort', stop);
  const forget = registerStream(stop);
  end.signal.addEventListener('abort', () => {
    stream.signal.removeEventListener('abort', stop);
    forget();
  });
  try {
    const frames = await stream.open(end.signal);
    if (frames !== null) return new Response(bodyOf(stream, frames, end), { headers: HEADERS });
    stop();
    return null;
  } catch (error) {
    stop();
    throw error;
  }
}

function bodyOf(stream: ServeStream, frames: FrameBatches, end: AbortController): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const inbox = new Inbox(frames);
  const heartbeat = HEARTBEAT_COMMENT + (stream.heartbeat === 'event' ? encodeFrame(signalFrame('stream.heartbeat', {})) : '');
  const stalled = setTimeout(() => end.abort(), STALLED_MS);
  stalled.unref();
  let revoked = false;
  keepAsking(stream.stillAllowed, end.signal, (answer) => {
    revoked = answer === 'no';
    end.abort();
  });
  const over = (): boolean => end.signal.aborted;
  let lastSent = -Infinity;
  let greeted = false;

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const finish = (): void => {
          clearTimeout(stalled);
          inbox.leave();
          if (revoked) controller.enqueue(encoder.encode(encodeFrame(signalFrame('stream.revoked', {}))));
          // An errored or cancelled body is closed already.
          try {
            controller.close();
          } catch {}
        };
        if (end.signal.aborted) finish();
        else end.signal.addEventListener('abort', finish);
      },
      async pull(controller) {
        stalled.refresh();
        const send = (text: string): void => {
          lastSent = performance.now();
          controller.enqueue(encoder.encode(text));
        };
        if (!greeted) {
          greeted = true;
          send(GREETING);
          return;
        }
        // What comes within the window is taken together after it.
        await pause(WINDOW_MS - (performance.now() - lastSent));
        if (over()) return;
        try {
          const said = await inbox.take(HEARTBEAT_MS);
          if (over()) return;
          if (said === 'over') end.abort();
          else send(said === 'nothing' ? heartbeat : said.map(encodeFrame).join(''));
        } catch (error) {
          controller.error(error);
          end.abort();
        }
      },
      cancel: () => end.abort(),
    },
    { highWaterMark: 0 },
  );
}

/** The next batch, asked for once however often nothing came in time. */
class Inbox {
  #arrived: IteratorResult<readonly Frame[], unknown> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #asked = false;
  #wake = (): void => undefined;

  constructor(private readonly frames: FrameBatches) {}

  /** `nothing` after `ms`, and when this was left. */
  async take(ms: number): Promise<readonly Frame[] | 'nothing' | 'over'> {
    this.#ask();
    if (this.#arrived === null && this.#failure === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#failure !== null) throw this.#failure.error;
    const result = this.#arrived;
    if (result === null) return 'nothing';
    this.#arrived = null;
    this.#asked = false;
    return result.done === true ? 'over' : result.value;
  }

  leave(): void {
    this.#wake();
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.frames
      .next()
      .then(
        (result) => (this.#arrived = result),
        (error: unknown) => (this.#failure = { error }),
      )
      .finally(() => this.#wake());
  }
}

function keepAsking(stillAllowed: ServeStream['stillAllowed'], signal: AbortSignal, onEnd: (answer: 'no' | 'unknown') => void): void {
  if (stillAllowed === undefined || signal.aborted) return;
  let unknown = 0;
  let asking = false;
  const timer = setInterval(() => {
    if (asking) return;
    asking = true;
    stillAllowed()
      .then((allowed) => {
        unknown = 0;
        if (!allowed) onEnd('no');
      })
      .catch(() => {
        unknown += 1;
        if (unknown >= UNKNOWN_LIMIT) onEnd('unknown');
      })
      .finally(() => (asking = false));
  }, RECHECK_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}

const pause = (ms: number): Promise<void> => (ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms)));
