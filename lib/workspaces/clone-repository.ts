import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { openWorkspace } from './open-workspace';

export interface CloneRequest {
  /** An http(s) address, or the absolute path of a repository. */
  readonly repository: string;
  /** Branch, tag or commit; null: what the repository itself has checked out. */
  readonly ref: string | null;
  /** Where the clone will be; its parent is made. */
  readonly directory: string;
  /** Where a repository on this machine may lie. */
  readonly localRoots: readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

export type CloneOutcome =
  | { readonly ok: true }
  /** For people: what git said, bounded, or what was refused. */
  | { readonly ok: false; readonly reason: 'refused' | 'failed' | 'timed_out' | 'stopped'; readonly message: string };

const TIMEOUT_MS = 10 * 60_000;
const MESSAGE_BYTES = 2_000;

/**
 * Clones a repository, whole or not at all: into a directory beside the wanted one,
 * which is renamed when it is complete. A clone that is there stays as it is.
 *
 * Nothing of the repository runs here: no hooks, no filters, no submodules, and no
 * configuration but this counts. git may talk http, https and to local paths, and is
 * never able to ask for credentials. Never rejects.
 */
export async function cloneRepository(request: CloneRequest): Promise<CloneOutcome> {
  const { directory, repository, ref, localRoots } = request;
  try {
    if ((await stat(directory).catch(() => null)) !== null) return { ok: true };
    if (path.isAbsolute(repository)) {
      const opened = await openWorkspace(repository, localRoots, 'read_only');
      if (!opened.ok) return { ok: false, reason: 'refused', message: opened.message };
    } else if (!/^https?:\/\//.test(repository)) {
      return { ok: false, reason: 'refused', message: 'only http, https and local repositories are cloned' };
    }
    await mkdir(path.dirname(directory), { recursive: true });
    const draft = await mkdtemp(`${directory}.cloning-`);
    try {
      const deadline = performance.now() + (request.timeoutMs ?? TIMEOUT_MS);
      // --no-local: a clone that shares files with its source could be used to change the source.
      const cloned = await git(['clone', '--quiet', '--no-local', '--no-checkout', '--template=', '--', repository, draft], draft, deadline, request.signal);
      if (!cloned.ok) return cloned;
      const checkedOut = await git(['checkout', '--quiet', ...(ref === null ? [] : [ref]), '--'], draft, deadline, request.signal);
      if (!checkedOut.ok) return checkedOut;
      await rename(draft, directory);
      return { ok: true };
    } finally {
      await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { ok: false, reason: 'failed', message: `the workspace directory could not be made (${code})` };
  }
}

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'credential.helper=',
  'protocol.allow=never',
  'protocol.http.allow=always',
  'protocol.https.allow=always',
  'protocol.file.allow=always',
  'http.followRedirects=initial',
  'submodule.recurse=false',
  'advice.detachedHead=false',
  'gc.auto=0',
].flatMap((setting) => ['-c', setting]);

// Without NODE_ENV, which Next's types demand of every environment.
const environment = (home: string): NodeJS.ProcessEnv => {
  const given: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    GIT_ALLOW_PROTOCOL: 'http:https:file',
  };
  return given as NodeJS.ProcessEnv;
};

function git(args: readonly string[], cwd: string, deadline: number, signal: AbortSignal): Promise<CloneOutcome> {
  return new Promise((resolve) => {
    const child = spawn('git', [...SETTINGS, ...args], {
      cwd,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environment(cwd),
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-MESSAGE_BYTES);
    });
    const kill = (): void => {
      try {
        // With the programs that git itself started.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    };
    const timer = setTimeout(() => end({ ok: false, reason: 'timed_out', message: 'cloning took too long' }, kill), deadline - performance.now());
    const onStop = (): void => end({ ok: false, reason: 'stopped', message: 'cloning was stopped' }, kill);
    let isOver = false;
    const end = (outcome: CloneOutcome, first: () => void = () => undefined): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onStop);
      first();
      resolve(outcome);
    };
    signal.addEventListener('abort', onStop);
    if (signal.aborted) onStop();
    child.once('error', () => end({ ok: false, reason: 'failed', message: 'git is not installed' }));
    child.once('close', (code) => {
      if (code === 0) end({ ok: true });
      else end({ ok: false, reason: 'failed', message: said.trim() === '' ? `git ended with ${code}` : said.trim() });
    });
  });
}
