/**
 * The path rule: which paths belong to a workspace.
 *
 * A path is walked component by component, links included, the way the kernel
 * would; what counts is where it ends. `..` is taken after links, so that
 * `link/../x` means what `open` would make of it. Nothing is opened here: what is
 * resolved is only a claim until `hold-directory.ts` has opened it and looked at
 * what it got.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { errnoOf, refusalFromError, refusePath } from './path-refusal';
import type { PathRefusal } from './path-refusal';

/** As Linux has it for one resolution. */
const MAX_LINKS = 40;
const MAX_PATH_BYTES = 4_096;

export interface PathRule {
  /** Canonical absolute directory of the workspace. */
  readonly root: string;
  /** Canonical absolute directories that nobody reads or writes through a tool, where they lie inside `root`. */
  readonly hidden?: readonly string[];
}

export interface ResolvedPath {
  readonly ok: true;
  /** Canonical absolute path: no link in it when it was looked at. */
  readonly absolute: string;
  /** Relative to the root, with `/`; `.` for the root itself. */
  readonly relative: string;
  readonly kind: 'file' | 'directory' | 'other' | 'missing';
  /** Trailing components that do not exist; empty unless `kind` is `missing`. */
  readonly missing: readonly string[];
}

/** Whether `candidate` is `directory` or lies under it. Both canonical and absolute. */
export function isInside(directory: string, candidate: string): boolean {
  if (candidate === directory) return true;
  return candidate.startsWith(directory.endsWith(path.sep) ? directory : directory + path.sep);
}

/**
 * @param purpose `write` also refuses everything under a `.git`: a hook or a config
 *   written there would later run outside the sandbox, by whoever uses the repository.
 */
export function resolvePath(rule: PathRule, input: string, purpose: 'read' | 'write'): ResolvedPath | PathRefusal {
  const invalid = refuseText(input);
  if (invalid !== null) return invalid;
  const walked = walk(input, rule.root);
  if (!walked.ok) return walked;
  const { absolute } = walked;
  if (!isInside(rule.root, absolute)) return outside();
  if (rule.hidden?.some((hidden) => hidden !== rule.root && isInside(rule.root, hidden) && isInside(hidden, absolute)) === true) {
    return refusePath('protected_path', 'this directory belongs to the installation and is closed to tools');
  }
  const relative = path.relative(rule.root, absolute).split(path.sep).join('/');
  if (purpose === 'write' && relative.split('/').some(isGitDirectoryName)) {
    return refusePath('protected_path', 'nothing inside .git may be written by a tool');
  }
  return { ...walked, relative: relative === '' ? '.' : relative };
}

function outside(): PathRefusal {
  return refusePath('outside_workspace', 'the path leads outside the workspace');
}

function refuseText(input: string): PathRefusal | null {
  if (input === '') return refusePath('invalid_path', 'the path is empty');
  if (input.includes('\0')) return refusePath('invalid_path', 'the path contains a NUL byte');
  if (/\p{Surrogate}/u.test(input)) return refusePath('invalid_path', 'the path is not well-formed Unicode');
  if (Buffer.byteLength(input) > MAX_PATH_BYTES) return refusePath('invalid_path', 'the path is too long');
  return null;
}

/**
 * `.git` under the names by which some file systems also find it: another case, NTFS's
 * short name, and characters that HFS+ ignores.
 */
function isGitDirectoryName(name: string): boolean {
  const plain = name.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase();
  return plain === '.git' || plain === 'git~1';
}

type Walked = Omit<ResolvedPath, 'relative'>;

/**
 * The root is canonical and is not walked again: should a directory above it have been
 * swapped since, whoever opens the result sees that the descriptor lies elsewhere. Names are looked up
 * synchronously: that is a few microseconds each from the kernel's own memory, where a
 * detour over the thread pool costs ten times as much for every component of every call.
 */
function walk(input: string, root: string): Walked | PathRefusal {
  const below = path.isAbsolute(input) && isInside(root, input) ? input.slice(root.length) : input;
  const fromRoot = !path.isAbsolute(input) || below !== input;
  const pending = below.split('/').reverse();
  let current = fromRoot ? root : path.parse(input).root;
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return outside();
  let stats: Stats | null = null;
  let links = 0;
  for (let component = pending.pop(); component !== undefined; component = pending.pop()) {
    if (component === '' || component === '.') continue;
    if (stats !== null && !stats.isDirectory()) return failed(current, root, 'not_a_directory');
    if (component === '..') {
      current = path.dirname(current);
      stats = null;
      continue;
    }
    const next = path.join(current, component);
    try {
      stats = lstatSync(next);
      if (stats.isSymbolicLink()) {
        links += 1;
        if (links > MAX_LINKS) return failed(next, root, 'symlink_loop');
        const target = readlinkSync(next);
        if (path.isAbsolute(target)) current = path.parse(target).root;
        pending.push(...target.split('/').reverse());
        stats = null;
        continue;
      }
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ENOENT') return missingUnder(current, root, [component, ...pending.reverse()]);
      // A probe must not learn about the outside from the kind of refusal.
      if (!isInside(root, next)) return outside();
      return refusalFromError(error, relativeTo(root, next));
    }
    current = next;
  }
  if (stats === null) {
    // The last step was `..` or a link's end at a directory already seen.
    try {
      stats = lstatSync(current);
    } catch (error) {
      return isInside(root, current) ? refusalFromError(error, relativeTo(root, current)) : outside();
    }
  }
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { ok: true, absolute: current, kind, missing: [] };
}

/** What does not exist yet may be created, if it is named plainly: `..` below nothing has no meaning. */
function missingUnder(current: string, root: string, rest: readonly string[]): Walked | PathRefusal {
  if (!isInside(root, current)) return outside();
  const missing = rest.filter((component) => component !== '' && component !== '.');
  if (missing.includes('..')) return refusePath('not_found', `${relativeTo(root, current)}: there is no such directory below it`);
  if (missing.some((component) => Buffer.byteLength(component) > 255)) {
    return refusePath('invalid_path', 'a name in the path is longer than 255 bytes');
  }
  return { ok: true, absolute: path.join(current, ...missing), kind: 'missing', missing };
}

function failed(where: string, root: string, code: 'not_a_directory' | 'symlink_loop'): PathRefusal {
  if (!isInside(root, where)) return outside();
  return refusePath(code, `${relativeTo(root, where)}: ${code.replaceAll('_', ' ')}`);
}

function relativeTo(root: string, absolute: string): string {
  return path.relative(root, absolute) || '.';
}
