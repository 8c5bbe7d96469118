import { stat } from 'node:fs/promises';
import type { EndReason } from '@/lib/domain/run/input';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import { readCloneSource } from '@/lib/store/read-clone-source';
import type { Engine } from './engine';

/** `stopped`: by cancel, release or a lost lease, which are somebody else's to record. */
export type Prepared = { readonly ok: true } | { readonly ok: false; readonly reason: EndReason | 'stopped' };

/**
 * The workspace of a run, before its first round: cloned where the session's is a
 * repository and no earlier run has done so.
 * @throws StoreError
 */
export async function prepareWorkspace(
  engine: Engine,
  claimed: ClaimedRun,
  { reading, signal }: { readonly reading: <T>(read: () => Promise<T>) => Promise<T>; readonly signal: AbortSignal },
): Promise<Prepared> {
  // The usual case costs no question to the database.
  if ((await stat(claimed.workspacePath).catch(() => null)) !== null) return { ok: true };
  const source = await reading(() => readCloneSource(engine.store, claimed));
  if (source === null) return { ok: true };
  const cloned = await engine.clone({ ...source, directory: claimed.workspacePath, signal });
  if (cloned.ok) return { ok: true };
  if (cloned.reason === 'stopped') return { ok: false, reason: 'stopped' };
  const message = engine.intake.text(`The repository could not be cloned: ${cloned.message}`);
  return { ok: false, reason: { kind: 'harness_failed', class: 'runtime', code: 'workspace_unavailable', message } };
}
