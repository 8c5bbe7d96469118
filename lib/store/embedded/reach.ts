import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { SystemUser } from './system-user';

/**
 * Whether `user` can enter `directory`, that is search it and all its parents.
 *
 * A clone or data directory under /root or a `mktemp -d` fails here; then binaries
 * or cluster have to lie elsewhere. Only owner and mode are looked at: with an ACL
 * that lets the user in we move although we need not, which is harmless.
 */
export async function canReach(directory: string, user: SystemUser): Promise<boolean> {
  if (user === null) return true;
  let current = path.resolve(directory);
  for (;;) {
    const { uid, gid, mode } = await stat(current);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    const parent = path.dirname(current);
    if (parent === current) return true;
    current = parent;
  }
}
