/**
 * The state of a workspace at a turn's start, and what differs now.
 *
 * Kept as a git tree in a repository outside the workspace, under a ref named after
 * the turn, so that a later generation of the same turn finds it. A start that could not
 * be taken is remembered as such: a later generation must not take the middle of the turn
 * for its start.
 */
import { lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Comparison, WorkspacePort } from '@/lib/agent/ports';
import type { TurnId } from '@/lib/domain/id';
import { snapshotPlace } from './snapshot-place';
import { resolvePath } from './path-rule';
import { ensureShadowRepository, shadowGit } from './shadow-git';
import type { ShadowGit } from './shadow-git';
import { writeTree } from './write-tree';

const MAX_DIFF_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;

export interface SnapshotOptions {
  /** Canonical directory of the workspace. */
  readonly root: string;
  readonly turnId: TurnId;
  /** Not inside the workspace; `snapshots/` in it is ours. */
  readonly dataDirectory: string;
  /** For each answer as a whole; afterwards it is `unknown`. */
  readonly timeoutMs?: number;
  readonly gitProgram?: string;
}

type Start = { readonly kind: 'none' } | { readonly kind: 'tree'; readonly tree: string } | { readonly kind: 'unknown' };

export function createSnapshot(options: SnapshotOptions): WorkspacePort {
  const { root } = options;
  const { gitDirectory, lostMark, ref } = snapshotPlace(options);
  let lostHere = false;
  let remembering: Promise<void> | null = null;

  const git = (): ShadowGit =>
    shadowGit(gitDirectory, root, performance.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS), options.gitProgram);

  async function readStart(shadow: ShadowGit): Promise<Start> {
    if (lostHere || (await stat(lostMark).catch(() => null)) !== null) return { kind: 'unknown' };
    if ((await stat(gitDirectory).catch(() => null)) === null) return { kind: 'none' };
    const found = await shadow.run(['rev-parse', '--verify', '-q', ref]);
    if (!found.ok) return { kind: 'unknown' };
    if (found.exitCode === 0) return { kind: 'tree', tree: found.stdout.toString().trim() };
    return found.exitCode === 1 ? { kind: 'none' } : { kind: 'unknown' };
  }

  async function remember(): Promise<void> {
    const shadow = git();
    if ((await readStart(shadow)).kind !== 'none') return;
    const deadline = performance.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const isReady = await ensureShadowRepository(gitDirectory, root, deadline, options.gitProgram);
    const written = isReady ? await writeTree(shadow, gitDirectory, root) : null;
    if (written === null || written.isPartial) return markLost();
    // Created only if it is not there: of two processes the first one has the start.
    const kept = await shadow.run(['update-ref', ref, written.tree, '0'.repeat(written.tree.length)]);
    if (kept.ok && kept.exitCode === 0) return;
    if ((await readStart(git())).kind !== 'tree') await markLost();
  }

  async function markLost(): Promise<void> {
    lostHere = true;
    await mkdir(path.dirname(lostMark), { recursive: true, mode: 0o700 });
    await writeFile(lostMark, '');
  }

  /** The trees of then and now; null when one of them cannot be told, `none` when nothing was remembered. */
  async function bothTrees(shadow: ShadowGit): Promise<{ then: string; now: string; isPartial: boolean } | 'none' | null> {
    const start = await readStart(shadow);
    if (start.kind === 'none') return 'none';
    const now = start.kind === 'tree' ? await writeTree(shadow, gitDirectory, root) : null;
    return now === null || start.kind === 'unknown' ? null : { then: start.tree, now: now.tree, isPartial: now.isPartial };
  }

  return {
    rememberStart() {
      remembering ??= remember().catch(() => markLost().catch(() => undefined));
      return remembering;
    },
    compare: () =>
      orElse<Comparison>('unknown', async () => {
        const trees = await bothTrees(git());
        if (trees === 'none') return 'equal';
        if (trees === null) return 'unknown';
        if (trees.then !== trees.now) return trees.isPartial ? 'unknown' : 'differs';
        return trees.isPartial ? 'unknown' : 'equal';
      }),
    differing: (paths) =>
      orElse(new Map<string, boolean | 'unknown'>(paths.map((each) => [each, 'unknown'])), async () => {
        const shadow = git();
        const trees = await bothTrees(shadow);
        const answers = new Map<string, boolean | 'unknown'>();
        const changed = trees === null || trees === 'none' ? null : await changedNames(shadow, trees.then, trees.now);
        for (const each of paths) {
          if (trees === 'none') answers.set(each, false);
          else if (trees === null || changed === null) answers.set(each, 'unknown');
          else answers.set(each, await differs(shadow, each, trees, changed));
        }
        return answers;
      }),
    diff: () =>
      orElse<{ text: string; truncated: boolean } | null>(null, async () => {
        const shadow = git();
        const trees = await bothTrees(shadow);
        if (trees === 'none') return { text: '', truncated: false };
        if (trees === null) return null;
        const args = ['diff-tree', '-p', '-r', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', trees.then, trees.now];
        const result = await shadow.run(args, { maxBytes: MAX_DIFF_BYTES });
        if (!result.ok || (!result.cut && result.exitCode !== 0)) return null;
        const whole = result.cut ? result.stdout.subarray(0, MAX_DIFF_BYTES) : result.stdout;
        // Cut where a line ends; a diff without its last lines is said to be one.
        return { text: whole.subarray(0, result.cut ? whole.lastIndexOf(10) + 1 : whole.length).toString(), truncated: result.cut };
      }),
  };

  async function differs(shadow: ShadowGit, asked: string, trees: { then: string; now: string; isPartial: boolean }, changed: ReadonlySet<string>) {
    const resolved = resolvePath({ root }, asked, 'read');
    if (!resolved.ok) return 'unknown';
    const { relative } = resolved;
    const isBelow = (each: string): boolean => relative === '.' || each === relative || each.startsWith(`${relative}/`);
    if ([...changed].some(isBelow)) return true;
    if (trees.isPartial) return 'unknown';
    if (relative === '.') return false;
    // Not changed, if git had it in sight; a file that it ignores was never compared.
    const known = await shadow.run(['ls-tree', '-z', '--name-only', trees.then, '--', relative]);
    if (known.ok && known.exitCode === 0 && known.stdout.length > 0) return false;
    if ((await lstat(resolved.absolute).catch(() => null)) !== null) return 'unknown';
    const ignored = await shadow.run(['check-ignore', '-q', '--no-index', '--', `./${relative}`], { noLiteralPaths: true });
    return ignored.ok && ignored.exitCode === 1 ? false : 'unknown';
  }
}

/** The port never rejects. */
async function orElse<Answer>(fallback: Answer, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch {
    return fallback;
  }
}

async function changedNames(git: ShadowGit, then: string, now: string): Promise<ReadonlySet<string> | null> {
  const result = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', then, now]);
  if (!result.ok || result.exitCode !== 0) return null;
  return new Set(result.stdout.toString().split('\0').filter((name) => name !== ''));
}
