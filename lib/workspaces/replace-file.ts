import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { holdDirectory } from './hold-directory';
import type { HeldDirectory } from './hold-directory';
import type { ResolvedPath } from './path-rule';
import { errnoOf, refusalFromError, refusePath } from './path-refusal';
import type { PathRefusal } from './path-refusal';

export interface Replacement {
  readonly bytes: Uint8Array;
  /** The file as it was read, null if there was none: anything else in its place is refused (`changed_meanwhile`). */
  readonly expected: Stats | null;
  /** Looked at once more just before the change becomes visible. */
  readonly signal: AbortSignal;
}

export type Replaced = { readonly ok: true } | PathRefusal | { readonly ok: false; readonly code: 'aborted'; readonly message: string };

/**
 * Puts a whole file in place at once: written beside it, flushed, then renamed.
 * Whoever reads sees the old content or the new, and after a refusal the old one is
 * untouched. Mode and (where permitted) owner of an existing file are kept; a
 * further hard link of it keeps the old content. Missing directories are made.
 */
export async function replaceFile(root: string, resolved: ResolvedPath, replacement: Replacement): Promise<Replaced> {
  const parent = await holdParent(root, resolved);
  if (!parent.ok) return parent;
  try {
    return await replaceIn(parent, path.basename(resolved.absolute), resolved.relative, replacement);
  } catch (error) {
    return refusalFromError(error, resolved.relative);
  } finally {
    parent.close();
  }
}

/** Makes the missing directories one by one, each below a verified one. */
async function holdParent(root: string, resolved: ResolvedPath): Promise<HeldDirectory | PathRefusal> {
  const directories = resolved.missing.slice(0, -1);
  const existing = path.join(resolved.absolute, ...resolved.missing.map(() => '..'));
  let held = await holdDirectory(root, resolved.kind === 'missing' ? existing : path.dirname(resolved.absolute));
  for (const name of directories) {
    if (!held.ok) return held;
    const above: HeldDirectory = held;
    try {
      await mkdir(above.at(name));
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') {
        above.close();
        return refusalFromError(error, resolved.relative);
      }
    }
    held = await holdDirectory(root, path.join(above.absolute, name));
    above.close();
  }
  return held;
}

async function replaceIn(parent: HeldDirectory, name: string, subject: string, replacement: Replacement): Promise<Replaced> {
  const before = await refuseTarget(parent, name, subject, replacement.expected);
  if (before !== null) return before;
  // Not named after the target, whose name may already be as long as names can be.
  const temporary = parent.at(`.pilothouse-${randomBytes(8).toString('hex')}.tmp`);
  const { expected } = replacement;
  const handle = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    expected === null ? 0o666 : 0o600,
  );
  try {
    try {
      await handle.writeFile(replacement.bytes);
      if (expected !== null) {
        // Owner first: a change of owner clears the set-id bits of the mode.
        await handle.chown(expected.uid, expected.gid).catch(() => undefined);
        await handle.chmod(expected.mode & 0o7777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    const refusal = await refuseTarget(parent, name, subject, expected);
    if (refusal !== null || replacement.signal.aborted) {
      await unlink(temporary);
      return refusal ?? { ok: false, code: 'aborted', message: 'stopped before anything was written' };
    }
    await rename(temporary, parent.at(name));
    return { ok: true };
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function refuseTarget(
  parent: HeldDirectory,
  name: string,
  subject: string,
  expected: Stats | null,
): Promise<PathRefusal | null> {
  if (!(await parent.isInPlace())) return refusePath('changed_meanwhile', `${subject}: its directory was moved or replaced`);
  let found: Stats | null;
  try {
    found = await lstat(parent.at(name));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    found = null;
  }
  if (found === null && expected === null) return null;
  if (found?.isDirectory() === true) return refusePath('not_a_file', `${subject}: is a directory`);
  if (found === null || expected === null || !isSameState(found, expected)) {
    return refusePath('changed_meanwhile', `${subject}: was changed by somebody else meanwhile; read it again`);
  }
  // A rename would get past the protection that the file's own mode asks for.
  await access(parent.at(name), constants.W_OK);
  return null;
}

function isSameState(found: Stats, expected: Stats): boolean {
  return (
    found.isFile() &&
    found.ino === expected.ino &&
    found.dev === expected.dev &&
    found.size === expected.size &&
    found.mtimeMs === expected.mtimeMs
  );
}
