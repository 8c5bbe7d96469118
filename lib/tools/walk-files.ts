import type { Dirent } from 'node:fs';
import path from 'node:path';
import { holdDirectory } from '@/lib/workspaces/hold-directory';
import type { PathRefusal } from '@/lib/workspaces/path-refusal';
import type { PathRule } from '@/lib/workspaces/path-rule';
import { MAX_WALKED_ENTRIES } from './limits';

/** Directories that a walk passes by unless it starts inside them: large, and not the reader's own text. */
export const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export interface WalkedEntry {
  readonly absolute: string;
  /** Relative to the workspace, with `/`. */
  readonly relative: string;
  readonly kind: 'file' | 'directory' | 'skipped_directory' | 'unreadable_directory' | 'link' | 'other';
}

export interface Walk {
  /** What may be walked past in all. */
  remaining: number;
  readonly signal: AbortSignal;
}

export function startWalk(signal: AbortSignal): Walk {
  return { remaining: MAX_WALKED_ENTRIES, signal };
}

/**
 * Everything below a directory, sorted by name at each level, a directory before
 * its content. Links are named, never followed. Ends early when `walk.remaining`
 * reaches 0 or the signal fires; the caller looks at both.
 * @returns a refusal when the first directory cannot be opened.
 */
export async function* walkFiles(rule: PathRule, absolute: string, walk: Walk): AsyncGenerator<WalkedEntry, PathRefusal | null> {
  const directory = await holdDirectory(rule.root, absolute);
  if (!directory.ok) return directory;
  let entries: Dirent[];
  try {
    entries = await directory.entries();
  } catch {
    return { ok: false, code: 'permission_denied', message: `${path.relative(rule.root, absolute) || '.'}: cannot be listed` };
  } finally {
    directory.close();
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (walk.signal.aborted || walk.remaining <= 0) return null;
    walk.remaining -= 1;
    const child = path.join(absolute, entry.name);
    if (rule.hidden?.includes(child) === true) continue;
    const relative = path.relative(rule.root, child).split(path.sep).join('/');
    if (!entry.isDirectory()) {
      yield { absolute: child, relative, kind: entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other' };
    } else if (SKIPPED_DIRECTORIES.has(entry.name)) {
      yield { absolute: child, relative, kind: 'skipped_directory' };
    } else {
      yield { absolute: child, relative, kind: 'directory' };
      const refusal = yield* walkFiles(rule, child, walk);
      if (refusal !== null) yield { absolute: child, relative, kind: 'unreadable_directory' };
    }
  }
  return null;
}
