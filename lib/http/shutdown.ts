/**
 * How a web process ends. `next start` waits for open responses, and an event stream
 * never ends by itself; so with NEXT_MANUAL_SIG_HANDLE=1 the end is ours: streams are
 * closed (their readers come back elsewhere, or later, with their cursors), answers under
 * way get a moment, connections are closed, and the process exits with 0.
 */
export interface ShutdownParts {
  readonly closeStreams: () => void;
  readonly closeSystem: () => Promise<void>;
  readonly exit: (code: number) => void;
}

const ANSWERS_MS = 150;
/** A database that hangs must not keep the process. */
const SYSTEM_MS = 3_000;

/** Ends on TERM and INT, and when the process that started this one is gone. */
export function installShutdown(parts: ShutdownParts): void {
  const ours = process.env.NEXT_MANUAL_SIG_HANDLE === '1';
  const end = ours ? once(() => shutDown(parts)) : parts.closeStreams;
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (ours) process.on('disconnect', end);
}

/** Never rejects. */
export async function shutDown({ closeStreams, closeSystem, exit }: ShutdownParts): Promise<void> {
  closeStreams();
  await pause(ANSWERS_MS);
  await Promise.race([closeSystem().catch(() => undefined), pause(SYSTEM_MS)]);
  exit(0);
}

function once(work: () => Promise<void>): () => void {
  let begun = false;
  return () => {
    if (begun) return;
    begun = true;
    void work();
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
