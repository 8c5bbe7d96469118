/**
 * Claims queued runs and drives them, many at once. NOTIFY is a hint, polling the
 * truth: a wake-up that is lost costs a poll interval and nothing else.
 */
import type { ClaimedRun } from '@/lib/store/claim-runs';
import type { Listener } from '@/lib/store/listen';
import type { Drive } from './drive-run';

export interface ClaimLoopParts {
  readonly slots: number;
  readonly pollMs: number;
  readonly claim: (limit: number) => Promise<readonly ClaimedRun[]>;
  readonly drive: (run: ClaimedRun) => Drive;
  readonly listener: Listener;
  /** A failed claim, for the operator's log; the loop goes on polling. */
  readonly onError: (error: unknown) => void;
}

/** Resolves when `signal` has fired and every drive has let go of its run. */
export async function claimLoop(parts: ClaimLoopParts, signal: AbortSignal): Promise<void> {
  const drives = new Map<string, Drive>();
  const bell = doorbell();
  const unsubscribe = parts.listener.onWork((runId) => {
    const concerned = runId === null ? [...drives.values()] : [drives.get(runId)];
    for (const drive of concerned) drive?.nudge();
    if (runId === null || !drives.has(runId)) bell.ring();
  });
  signal.addEventListener('abort', bell.ring);

  while (!signal.aborted) {
    const free = parts.slots - drives.size;
    const claimed = free > 0 ? await claimSome(parts, free) : [];
    for (const run of claimed) {
      const drive = parts.drive(run);
      drives.set(run.runId, drive);
      void drive.done.finally(() => {
        drives.delete(run.runId);
        bell.ring();
      });
    }
    // A full batch says that there may be more.
    if (free > 0 && claimed.length === free) continue;
    await bell.wait(parts.pollMs);
  }

  signal.removeEventListener('abort', bell.ring);
  unsubscribe();
  for (const drive of drives.values()) drive.release();
  await Promise.all([...drives.values()].map((drive) => drive.done));
}

/** Remembers a ring that came while nobody waited. */
function doorbell(): { readonly ring: () => void; wait(ms: number): Promise<void> } {
  let rung = false;
  let answer: () => void = () => undefined;
  return {
    ring() {
      rung = true;
      answer();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
    },
  };
}

async function claimSome(parts: ClaimLoopParts, limit: number): Promise<readonly ClaimedRun[]> {
  try {
    return await parts.claim(limit);
  } catch (error) {
    parts.onError(error);
    return [];
  }
}
