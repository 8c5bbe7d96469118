import { createHash } from 'node:crypto';
import path from 'node:path';
import type { TurnId } from '@/lib/domain/id';

/** Where the start of a turn is kept: one repository a workspace, one ref a turn. */
export function snapshotPlace(snapshot: { readonly root: string; readonly turnId: TurnId; readonly dataDirectory: string }) {
  const name = createHash('sha256').update(snapshot.root).digest('hex').slice(0, 32);
  const directory = path.join(snapshot.dataDirectory, 'snapshots');
  return {
    gitDirectory: path.join(directory, `${name}.git`),
    /** Says that the start could not be taken. */
    lostMark: path.join(directory, `${name}.lost`, snapshot.turnId),
    ref: `refs/pilothouse/${snapshot.turnId}`,
  };
}
