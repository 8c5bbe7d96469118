import { stat } from 'node:fs/promises';
import type { EndReason } from '@/lib/domain/run/input';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import { readCloneSource } from '@/lib/store/read-clone-source';
import type { Engine } from './engine';

/** `stopped`: by cancel, release or a lost lease, which are somebody else's to record. */
export type Prepared = { readonly ok: true } | { readonly ok: false; readonly reason: EndReason | 'stopped' };

type Around = { readonly reading: <T>(read: () => Promise<T>) => Promise<T>; readonly signal: AbortSignal };

/**
 * The workspace of a run, before its first round: cloned where the session's is a
 * repository and no earlier run has done so. Nothing is done in a directory where this
 * process may not work, whoever queued the run and whatever was allowed then.
 * @throws StoreError
 */
export async function prepareWorkspace(engine: Engine, claimed: ClaimedRun, around: Around): Promise<Prepared> {
  const made = await makeWhereMissing(engine, claimed, around);
  if (!made.ok || (await engine.mayWorkIn(claimed.workspacePath))) return made;
  return unavailable(`${claimed.workspacePath} is no directory in which workers may work (PILOTHOUSE_WORKSPACE_ROOTS)`);
}

async function makeWhereMissing(engine: Engine, claimed: ClaimedRun, { reading, signal }: Around): Promise<Prepared> {
  // The usual case costs no question to the database.
  if ((await stat(claimed.workspacePath).catch(() => null)) !== null) return { ok: true };
  const source = await reading(() => readCloneSource(engine.store, claimed));
  if (source === null) return { ok: true };
  const cloned = await engine.clone({ ...source, directory: claimed.workspacePath, signal });
  if (cloned.ok) return { ok: true };
  if (cloned.reason === 'stopped') return { ok: false, reason: 'stopped' };
  return unavailable(engine.intake.text(`The repository could not be cloned: ${cloned.message}`));
}

const unavailable = (message: string): Prepared => ({
  ok: false,
  reason: { kind: 'harness_failed', class: 'runtime', code: 'workspace_unavailable', message },
});
