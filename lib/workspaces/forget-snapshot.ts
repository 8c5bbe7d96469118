import { rm, stat } from 'node:fs/promises';
import type { TurnId } from '@/lib/domain/id';
import { shadowGit } from './shadow-git';
import { snapshotPlace } from './snapshot-place';

const TIMEOUT_MS = 60_000;
/** Objects this young may belong to a snapshot that is being taken right now. */
const SPARED = '1.hour.ago';

/**
 * Gives back the space of a turn's start, once nothing will ask for it: after this the
 * turn looks as if no start had been remembered. Never rejects; what could not be removed
 * is removed with a later turn.
 */
export async function forgetSnapshot(snapshot: {
  readonly root: string;
  readonly turnId: TurnId;
  readonly dataDirectory: string;
}): Promise<void> {
  const { gitDirectory, lostMark, ref } = snapshotPlace(snapshot);
  try {
    await rm(lostMark, { force: true });
    if ((await stat(gitDirectory).catch(() => null)) === null) return;
    // The work tree is not looked at, and may be gone.
    const git = shadowGit(gitDirectory, gitDirectory, performance.now() + TIMEOUT_MS);
    await git.run(['update-ref', '-d', ref]);
    await git.run(['prune', `--expire=${SPARED}`]);
  } catch {
    // Space only.
  }
}
