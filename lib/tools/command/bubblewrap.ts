import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ToolWorkspace } from '@/lib/agent/ports';
import { isInside } from '@/lib/workspaces/path-rule';

export interface SandboxRequest {
  readonly workspace: ToolWorkspace;
  readonly cwd: string;
  readonly network: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Directories inside the workspace that the command finds empty. */
  readonly hidden: readonly string[];
  /** Where bubblewrap tells how it went. */
  readonly statusDescriptor: number;
}

/** What of /etc programs need to start, to find users, time and certificates. No keys, no tokens, no shadow. */
const ETC = [
  'alternatives', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'fonts', 'group', 'host.conf', 'hosts',
  'java-17-openjdk', 'java-21-openjdk', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'locale.alias',
  'lsb-release', 'magic', 'mime.types', 'nsswitch.conf', 'os-release', 'passwd', 'pki', 'protocols', 'services', 'ssl',
  'terminfo', 'timezone',
];
const ETC_FOR_NETWORK = ['resolv.conf', 'gai.conf'];

/**
 * bubblewrap's arguments up to the command: the system read-only, the workspace at
 * its own path, nothing else of the machine; namespaces of its own for processes,
 * network and the rest; no capabilities.
 *
 * The order counts: a later mount covers an earlier one, so the workspace comes
 * after /tmp and /opt, in which it may lie, and what is closed in it comes last.
 */
export function bubblewrapArguments(request: SandboxRequest): string[] {
  return [
    '--unshare-all',
    ...(request.network ? ['--share-net'] : []),
    '--die-with-parent',
    '--new-session',
    '--cap-drop', 'ALL',
    '--clearenv',
    ...Object.entries(request.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemMounts(),
    '--proc', '/proc',
    '--dev', '/dev',
    ...[...ETC, ...(request.network ? ETC_FOR_NETWORK : [])].flatMap((name) => readOnlyTry(`/etc/${name}`)),
    '--tmpfs', '/tmp',
    '--tmpfs', '/var/tmp',
    ...nodeMounts(),
    ...workspaceMounts(request.workspace),
    ...request.hidden
      .filter((directory) => directory !== request.workspace.root && isInside(request.workspace.root, directory) && existsSync(directory))
      .flatMap((directory) => ['--tmpfs', directory]),
    '--chdir', request.cwd,
    '--json-status-fd', String(request.statusDescriptor),
    '--',
  ];
}

function systemMounts(): string[] {
  const links = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].flatMap((name) => {
    const directory = `/${name}`;
    if (!existsSync(directory)) return [];
    return lstatSync(directory).isSymbolicLink() ? ['--symlink', readlinkSync(directory), directory] : ['--ro-bind', directory, directory];
  });
  return ['--ro-bind', '/usr', '/usr', ...links, ...['/opt', '/nix/store', '/gnu/store'].flatMap(readOnlyTry)];
}

/**
 * The node that runs this, where it lies outside the mounts above (a version
 * manager in somebody's home): only its own directory and the packages beside it,
 * and only the file itself if its directory is not one of programs.
 */
function nodeMounts(): string[] {
  const node = process.execPath;
  if (['/usr', '/bin', '/opt', '/nix/store', '/gnu/store'].some((directory) => isInside(directory, node))) return [];
  const directory = path.dirname(node);
  if (path.basename(directory) !== 'bin') return readOnlyTry(node);
  return [...readOnlyTry(directory), ...readOnlyTry(path.join(path.dirname(directory), 'lib/node_modules'))];
}

function workspaceMounts(workspace: ToolWorkspace): string[] {
  if (workspace.access === 'read_only') return ['--ro-bind', workspace.root, workspace.root];
  return ['--bind', workspace.root, workspace.root, ...gitMounts(path.join(workspace.root, '.git'))];
}

/**
 * A command may commit, but not leave a hook or a config behind that runs later, outside
 * the sandbox. `.git` is mounted on itself, because a mount point cannot be renamed: else the
 * command could move the whole directory away and make a new one. A repository
 * that the command itself creates is its own; hooks there cannot be told from other files.
 */
function gitMounts(git: string): string[] {
  const stats = lstatSync(git, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  if (!stats.isDirectory()) return ['--ro-bind', git, git];
  return ['--bind', git, git, ...closedIn(git), ...submodules(path.join(git, 'modules'), 0).flatMap(closedIn)];
}

function closedIn(gitDirectory: string): string[] {
  const hooks = path.join(gitDirectory, 'hooks');
  // An absent one could be created by the command, so there has to be something to mount on.
  if (!existsSync(hooks)) mkdirSync(hooks);
  return [hooks, path.join(gitDirectory, 'config'), path.join(gitDirectory, 'config.worktree')].flatMap((closed) => {
    const stats = lstatSync(closed, { throwIfNoEntry: false });
    return stats === undefined || stats.isSymbolicLink() ? [] : ['--ro-bind', closed, closed];
  });
}

/** The git directories of submodules, which may lie in each other and under names with slashes. */
function submodules(directory: string, depth: number): string[] {
  if (depth > 4 || statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const child = path.join(directory, entry.name);
      if (!existsSync(path.join(child, 'HEAD'))) return submodules(child, depth + 1);
      return [child, ...submodules(path.join(child, 'modules'), depth + 1)];
    });
}

function readOnlyTry(source: string): string[] {
  return ['--ro-bind-try', source, source];
}
