/** What the feed needs of a browser, so that tests can be one. */

/** The part of EventSource that is used. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}
export const CLOSED = 2;

export interface ChannelLike {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  close(): void;
}

/** What tabs of one browser share. */
export interface SharedLike {
  openChannel(name: string): ChannelLike;
  /**
   * Calls `held` when the lock is given, and gives it up when what `held` returned
   * settles. Resolves, too, when it was stolen, and when the signal ended the waiting.
   */
  lock(name: string, how: { readonly steal: boolean; readonly signal?: AbortSignal }, held: () => Promise<void>): Promise<void>;
}

export type PageEvent = 'shown' | 'hidden' | 'online' | 'leaving';

export interface FeedEnvironment {
  openSource(url: string): EventSourceLike;
  /** Whether the stream at this address would be given. */
  probe(url: string): Promise<'allowed' | 'signed_out' | 'unknown'>;
  /** null where tabs cannot find each other: then each has a connection of its own. */
  readonly shared: SharedLike | null;
  /** Of the wall clock: it goes on while a laptop sleeps. */
  now(): number;
  random(): number;
  newTabId(): string;
  /** @returns cancels it. */
  after(ms: number, call: () => void): () => void;
  every(ms: number, call: () => void): () => void;
  /** With the next picture; soon, where none is drawn. */
  nextFrame(call: () => void): void;
  isVisible(): boolean;
  isOnline(): boolean;
  /** @returns ends it. */
  onPage(listener: (event: PageEvent) => void): () => void;
}

export function browserEnvironment(): FeedEnvironment {
  return {
    openSource: (url) => new EventSource(url),
    async probe(url) {
      try {
        const { status } = await fetch(url, { headers: { accept: 'application/json' }, cache: 'no-store' });
        if (status === 401 || status === 403) return 'signed_out';
        return status < 300 ? 'allowed' : 'unknown';
      } catch {
        return 'unknown';
      }
    },
    shared: sharedByTabs(),
    now: () => Date.now(),
    random: () => Math.random(),
    newTabId: () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    every(ms, call) {
      const timer = setInterval(call, ms);
      return () => clearInterval(timer);
    },
    nextFrame(call) {
      // A tab that is covered, or hidden between this and its frame, draws none: then by the clock.
      const frame = requestAnimationFrame(() => {
        clearTimeout(timer);
        call();
      });
      const timer = setTimeout(() => {
        cancelAnimationFrame(frame);
        call();
      }, HIDDEN_FRAME_MS);
    },
    isVisible: () => document.visibilityState === 'visible',
    isOnline: () => navigator.onLine,
    onPage(listener) {
      const end = new AbortController();
      const { signal } = end;
      document.addEventListener('visibilitychange', () => listener(document.visibilityState === 'visible' ? 'shown' : 'hidden'), { signal });
      window.addEventListener('pageshow', () => listener('shown'), { signal });
      window.addEventListener('pagehide', () => listener('leaving'), { signal });
      window.addEventListener('online', () => listener('online'), { signal });
      return () => end.abort();
    },
  };
}

const HIDDEN_FRAME_MS = 250;

/** Locks exist only where the page came over https, or from this machine. */
function sharedByTabs(): SharedLike | null {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null;
  return {
    openChannel(name) {
      const channel = new BroadcastChannel(name);
      return {
        post: (message) => channel.postMessage(message),
        onMessage: (listener) => channel.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data)),
        close: () => channel.close(),
      };
    },
    async lock(name, { steal, signal }, held) {
      // A request that steals does not wait, and takes no signal.
      await locks.request(name, steal || signal === undefined ? { steal } : { signal }, held).catch(() => undefined);
    },
  };
}
