/**
 * The streams that this process holds open, so that its end need not wait for them.
 * On the global object: a web server's routes and its start may each hold this module
 * for themselves.
 */
interface Registry {
  readonly streams: Set<() => void>;
  closed: boolean;
}

function shared(): Registry {
  const holder = globalThis as { pilothouseOpenStreams?: Registry };
  return (holder.pilothouseOpenStreams ??= { streams: new Set(), closed: false });
}

/** @returns forgets it. A stream that opens after the end is closed at once. */
export function registerStream(close: () => void): () => void {
  const { streams, closed } = shared();
  if (closed) close();
  else streams.add(close);
  return () => streams.delete(close);
}

/** Closes every stream, and those that are still to come. */
export function closeAllStreams(): void {
  const all = shared();
  all.closed = true;
  for (const close of [...all.streams]) close();
}

export const openStreams = (): number => shared().streams.size;
