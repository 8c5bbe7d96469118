import type { WorkspacePort } from '@/lib/agent/ports';
import { truncateBytes } from '@/lib/domain/clean';
import type { RunState } from '@/lib/domain/run/state';
import { storeRunDiff } from '@/lib/store/run-diff';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import type { Engine } from './engine';

const MOST_BYTES = 1024 * 1024;

/** Whether the turn, as far as this run knows, has done anything that could change the workspace. */
export const hasHadEffect = ({ edits, effects }: Pick<RunState, 'edits' | 'effects'>): boolean =>
  edits.attempted > 0 || effects.commands > 0 || effects.external > 0;

/**
 * Keeps what the turn has changed in the workspace, redacted, for those who look later:
 * an aside, after the run's own record is committed, so that nothing of the run depends
 * on it (I12). Never rejects.
 *
 * Where another session begins to write in the directory meanwhile, its first changes
 * may be in it too: the run let the directory go when it ended, and does not hold it for this.
 */
export async function storeDiff(engine: Engine, claimed: ClaimedRun, changes: WorkspacePort): Promise<void> {
  try {
    const diff = await changes.diff();
    const text = diff === null ? null : truncateBytes(engine.intake.text(diff.text), MOST_BYTES);
    await storeRunDiff(engine.store, claimed, { text: text?.text ?? null, truncated: diff?.truncated === true || text?.truncated === true });
  } catch (error) {
    engine.onUnexpected(error, claimed.runId);
  }
}
