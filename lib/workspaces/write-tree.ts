import { createHash, randomBytes } from 'node:crypto';
import { copyFile, lstat, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { ShadowGit } from './shadow-git';

export interface WrittenTree {
  readonly tree: string;
  /** Something could not be read: what the tree holds is right, but it does not hold everything. */
  readonly isPartial: boolean;
}

/** Repositories inside repositories inside the workspace; deeper ones stay unseen. */
const MAX_DEPTH = 5;

/**
 * The state of the workspace as a git tree, or null when it cannot be told.
 *
 * In it: every file that `.gitignore` does not exclude, those that the workspace's own
 * repository tracks although they are ignored, and the files of embedded repositories and
 * submodules (git alone would record only their commit, and no change in them).
 * Not in it: ignored files, empty directories, FIFOs and the like.
 */
export async function writeTree(git: ShadowGit, gitDirectory: string, root: string): Promise<WrittenTree | null> {
  const index = path.join(gitDirectory, 'pilothouse', `index-${randomBytes(8).toString('hex')}`);
  try {
    return await treeOf(git, gitDirectory, root, index, 0);
  } finally {
    for (const file of [index, `${index}.lock`]) await rm(file, { force: true });
  }
}

async function treeOf(git: ShadowGit, gitDirectory: string, workTree: string, index: string, depth: number): Promise<WrittenTree | null> {
  const cache = path.join(gitDirectory, 'pilothouse', `cache-${createHash('sha256').update(workTree).digest('hex').slice(0, 32)}`);
  await copyIndex(cache, index);
  const listed = await git.run(['ls-files', '-o', '--exclude-standard', '-z'], { index, workTree });
  if (!listed.ok || listed.exitCode !== 0) return null;
  const others = splitNames(listed.stdout);
  const embedded = others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  const tracked = splitNames((await listTracked(git, index, workTree)) ?? Buffer.alloc(0));
  // By name, not `add -A`: that would record embedded repositories as commits, and refuse ones without any.
  const names = [...new Set([...others.filter((name) => !name.endsWith('/')), ...tracked, ...(await trackedThoughIgnored(git, workTree))])];
  let isPartial = false;
  if (names.length > 0) {
    const files = await existing(workTree, names, embedded);
    const removed = await git.run(['update-index', '--force-remove', '-z', '--stdin'], { index, workTree, stdin: join(files.absent) });
    if (!removed.ok || removed.exitCode !== 0) return null;
    if (files.present.length > 0) {
      const added = await git.run(['add', '-f', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'], {
        index,
        workTree,
        stdin: join(files.present),
      });
      if (!added.ok) return null;
      isPartial = added.exitCode !== 0;
    }
  }
  await copyIndex(index, `${cache}.${randomBytes(4).toString('hex')}`, cache);
  for (const directory of embedded) {
    if (depth >= MAX_DEPTH) {
      isPartial = true;
      break;
    }
    const inner = `${index}-${depth}`;
    try {
      const tree = await treeOf(git, gitDirectory, path.join(workTree, directory), inner, depth + 1);
      if (tree === null) return null;
      isPartial ||= tree.isPartial;
      const placed = await git.run(['read-tree', `--prefix=${directory}/`, tree.tree], { index, workTree });
      if (!placed.ok || placed.exitCode !== 0) return null;
    } finally {
      for (const file of [inner, `${inner}.lock`]) await rm(file, { force: true });
    }
  }
  const written = await git.run(['write-tree'], { index, workTree });
  if (!written.ok || written.exitCode !== 0) return null;
  return { tree: written.stdout.toString().trim(), isPartial };
}

async function listTracked(git: ShadowGit, index: string, workTree: string): Promise<Buffer | null> {
  const listed = await git.run(['ls-files', '-c', '-z'], { index, workTree });
  return listed.ok && listed.exitCode === 0 ? listed.stdout : null;
}

/**
 * Read from the workspace's own index, but with our configuration. An index in a form that
 * only its own repository understands is passed over.
 */
async function trackedThoughIgnored(git: ShadowGit, workTree: string): Promise<string[]> {
  const own = path.join(workTree, '.git', 'index');
  if ((await stat(own).catch(() => null))?.isFile() !== true) return [];
  const listed = await git.run(['ls-files', '-c', '-i', '--exclude-standard', '-z'], { index: own, workTree });
  return listed.ok && listed.exitCode === 0 ? splitNames(listed.stdout) : [];
}

async function existing(workTree: string, names: readonly string[], embedded: readonly string[]) {
  const present: string[] = [];
  const absent: string[] = [];
  const real = new Map<string, Promise<boolean>>([['.', Promise.resolve(true)]]);
  /** Whether a directory is one all the way down: git has nothing beyond a link or a repository. */
  const isReal = (directory: string): Promise<boolean> => {
    const known = real.get(directory);
    if (known !== undefined) return known;
    const answer = (async () =>
      !embedded.includes(directory) &&
      (await isReal(path.dirname(directory))) &&
      (await lstat(path.join(workTree, directory)).catch(() => null))?.isDirectory() === true)();
    real.set(directory, answer);
    return answer;
  };
  for (const name of names) {
    const stats = (await isReal(path.dirname(name))) ? await lstat(path.join(workTree, name)).catch(() => null) : null;
    // What became a directory is listed by the names below it.
    (stats?.isFile() === true || stats?.isSymbolicLink() === true ? present : absent).push(name);
  }
  return { present, absent };
}

/**
 * An index remembers what files looked like when they were hashed, and trusts them if
 * they are older than itself. A copy must not look younger than the original.
 */
async function copyIndex(from: string, to: string, thenName: string = to): Promise<void> {
  try {
    const { mtimeMs, atimeMs } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atimeMs / 1_000, (mtimeMs - 2) / 1_000);
    if (thenName !== to) await rename(to, thenName);
  } catch {
    // Only a cache: without it every file is hashed again.
    await rm(to, { force: true });
  }
}

function splitNames(output: Buffer): string[] {
  return output.toString().split('\0').filter((name) => name !== '');
}

function join(names: readonly string[]): string {
  return names.map((name) => `${name}\0`).join('');
}
