/** From frames to an HTTP response: backpressure, heartbeat, batches, and every way in which a stream ends. */
import type { Frame } from './frame';

export interface ServeStream {
  /** The request's: fires when the client has gone. */
  readonly signal: AbortSignal;
  /** Frames in batches; must end soon after the signal it is given fires. */
  readonly open: (signal: AbortSignal) => AsyncIterable<readonly Frame[]>;
  /** `event` beside the comment where the reader is an EventSource, which does not see comments. */
  readonly heartbeat?: 'comment' | 'event';
  /** Asked about every 10 s; false closes the stream. A rejection means "not known", and is asked again. */
  readonly stillAllowed?: () => Promise<boolean>;
}

export function serveStream(_stream: ServeStream): Response {
  throw new Error('not built yet');
}

/** Closes every stream of this process, for its end. */
export function closeAllStreams(): void {
  throw new Error('not built yet');
}
