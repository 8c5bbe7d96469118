import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * git on a repository of our own, outside the workspace: the workspace's own
 * repository, if it has one, is neither changed nor believed. No configuration but
 * what is given here counts, so nothing of the workspace can make git run a program.
 */
export interface ShadowGit {
  run(args: readonly string[], more?: GitInput): Promise<GitResult>;
}

export interface GitInput {
  readonly index?: string;
  /** Instead of the workspace itself: a directory inside it. */
  readonly workTree?: string;
  readonly stdin?: string;
  /** For `init`, which refuses to be told of one. */
  readonly noWorkTree?: boolean;
  /** For commands that refuse to take paths as they are; the path then must not begin with `:`. */
  readonly noLiteralPaths?: boolean;
  /** Reading stops there, and git is ended. */
  readonly maxBytes?: number;
}

export type GitResult =
  | { readonly ok: true; readonly exitCode: number; readonly stdout: Buffer; readonly cut: boolean }
  | { readonly ok: false; readonly reason: 'not_available' | 'timed_out' | 'too_much' };

const MAX_STDOUT = 256 * 1024 * 1024;

const CONFIGURATION = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  'core.excludesFile=/dev/null',
  'core.attributesFile=/dev/null',
  'core.quotePath=false',
  'core.looseCompression=1',
  'core.bigFileThreshold=16m',
  'gc.auto=0',
  'protocol.allow=never',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting]);

/** @param deadline of all commands together, from `performance.now()`. */
export function shadowGit(gitDirectory: string, root: string, deadline: number, program = 'git'): ShadowGit {
  return {
    run(args, more = {}) {
      const patience = deadline - performance.now();
      if (patience <= 0) return Promise.resolve({ ok: false, reason: 'timed_out' });
      const workTree = more.workTree ?? root;
      return runProcess(program, [...CONFIGURATION, ...args], workTree, patience, more, {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        HOME: gitDirectory,
        LC_ALL: 'C',
        GIT_DIR: gitDirectory,
        ...(more.noWorkTree === true ? {} : { GIT_WORK_TREE: workTree }),
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        ...(more.noLiteralPaths === true ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        ...(more.index === undefined ? {} : { GIT_INDEX_FILE: more.index }),
      });
    },
  };
}

function runProcess(
  program: string,
  args: readonly string[],
  cwd: string,
  patience: number,
  more: GitInput,
  env: Record<string, string>,
): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    const chunks: Buffer[] = [];
    let length = 0;
    let cut = false;
    const end = (result: GitResult): void => {
      clearTimeout(timer);
      resolve(result);
    };
    const kill = (): void => {
      try {
        // With the programs that git itself started.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    };
    const timer = setTimeout(() => {
      kill();
      end({ ok: false, reason: 'timed_out' });
    }, patience);
    child.once('error', () => end({ ok: false, reason: 'not_available' }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(more.stdin ?? '');
    child.stdout.on('data', (chunk: Buffer) => {
      if (cut) return;
      chunks.push(chunk);
      length += chunk.length;
      cut = length > (more.maxBytes ?? MAX_STDOUT);
      if (cut) kill();
    });
    child.once('close', (code) => {
      if (cut && more.maxBytes === undefined) end({ ok: false, reason: 'too_much' });
      else end({ ok: true, exitCode: code ?? 128, stdout: Buffer.concat(chunks), cut });
    });
  });
}

/**
 * Attributes of the workspace must not change what is compared: a file counts as the
 * bytes it has. This file is stronger than any `.gitattributes`.
 */
const ATTRIBUTES = '* -text !eol !filter !ident !working-tree-encoding !diff !merge\n';

/** Makes the shadow repository unless it is there. Two processes may do so at once. @returns whether it is there. */
export async function ensureShadowRepository(
  gitDirectory: string,
  root: string,
  deadline: number,
  program?: string,
): Promise<boolean> {
  const isThere = async (): Promise<boolean> => (await stat(gitDirectory).catch(() => null))?.isDirectory() === true;
  if (await isThere()) return true;
  await mkdir(path.dirname(gitDirectory), { recursive: true, mode: 0o700 });
  const fresh = await mkdtemp(`${gitDirectory}.new-`);
  try {
    const made = await shadowGit(fresh, root, deadline, program).run(['init', '-q', '--bare', '--template=', fresh], { noWorkTree: true });
    if (!made.ok || made.exitCode !== 0) return false;
    await mkdir(path.join(fresh, 'info'), { recursive: true });
    await writeFile(path.join(fresh, 'info', 'attributes'), ATTRIBUTES);
    await writeFile(path.join(fresh, 'info', 'exclude'), ownFiles(gitDirectory, root));
    await mkdir(path.join(fresh, 'pilothouse'));
    await rename(fresh, gitDirectory);
    return true;
  } catch {
    // Renaming onto a directory that is not empty fails: the other process was first.
    return await isThere();
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Where the snapshots themselves lie inside the workspace, they are no part of its state. */
function ownFiles(gitDirectory: string, root: string): string {
  const relative = path.relative(root, path.dirname(gitDirectory));
  if (relative.startsWith('..')) return '';
  return `/${relative.replaceAll(/[\\*?[\]!# ]/g, '\\$&')}/\n`;
}
