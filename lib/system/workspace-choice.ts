/** Which place a submission means, and whether it may be a workspace here. */
import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from '@/lib/config/environment';
import { copySample } from '@/lib/sample/copy-sample';
import { openWorkspace } from '@/lib/workspaces/open-workspace';

export type WorkspaceChoice =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'git'; readonly repository: string; readonly ref?: string | undefined }
  /** A fresh copy of the bundled sample repository. */
  | { readonly kind: 'sample' };

export type ChosenWorkspace =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'git'; readonly repository: string; readonly clonesRoot: string; readonly ref?: string };

export type WorkspaceAnswer =
  | { readonly ok: true; readonly workspace: ChosenWorkspace }
  | { readonly ok: false; readonly message: string };

type Settings = Pick<Configuration, 'dataDirectory' | 'packageRoot' | 'workspaceRoots'>;

/**
 * @param commandId the same command means the same copy of the sample.
 */
export async function chooseWorkspace(configuration: Settings, choice: WorkspaceChoice, commandId: string): Promise<WorkspaceAnswer> {
  switch (choice.kind) {
    case 'directory':
      return chooseDirectory(configuration, choice.directory);
    case 'git':
      return chooseRepository(configuration, choice.repository, choice.ref);
    case 'sample':
      return { ok: true, workspace: { kind: 'directory', path: await copySample(configuration, nameOf(commandId)) } };
  }
}

/** Whether runs that are queued for workers may work in this directory. */
export async function mayBeWorkspace({ workspaceRoots }: Pick<Settings, 'workspaceRoots'>, directory: string): Promise<boolean> {
  return (await openWorkspace(directory, workspaceRoots.server, 'read_write')).ok;
}

async function chooseDirectory({ workspaceRoots }: Settings, directory: string): Promise<WorkspaceAnswer> {
  if (!path.isAbsolute(directory)) return { ok: false, message: 'must be an absolute path' };
  // What exists outside the roots is nobody's business: every refusal reads the same.
  const opened = await openWorkspace(directory, workspaceRoots.server, 'read_write');
  if (opened.ok) return { ok: true, workspace: { kind: 'directory', path: opened.workspace.root } };
  return { ok: false, message: `is no directory under one in which workspaces may lie (${workspaceRoots.server.join(', ')})` };
}

async function chooseRepository(settings: Settings, given: string, ref: string | undefined): Promise<WorkspaceAnswer> {
  const source = await repositorySource(settings, given);
  if (!source.ok) return source;
  // Canonical, because the path rule compares canonical paths.
  const clones = path.join(settings.dataDirectory, 'workspaces');
  await mkdir(clones, { recursive: true });
  const clonesRoot = await realpath(clones);
  return { ok: true, workspace: { kind: 'git', repository: source.repository, clonesRoot, ...(ref === undefined ? {} : { ref }) } };
}

async function repositorySource(
  settings: Settings,
  given: string,
): Promise<{ readonly ok: true; readonly repository: string } | { readonly ok: false; readonly message: string }> {
  if (URL.canParse(given)) {
    const url = new URL(given);
    if (url.protocol === 'file:') return localRepository(settings, fileURLToPath(url));
    if (url.protocol === 'http:' || url.protocol === 'https:') {
      if (url.username !== '' || url.password !== '') return { ok: false, message: 'must not hold a user name or a password' };
      return { ok: true, repository: url.href };
    }
  }
  if (path.isAbsolute(given)) return localRepository(settings, given);
  return { ok: false, message: 'must be an http(s) address, or the path of a repository' };
}

async function localRepository(settings: Settings, directory: string) {
  const opened = await chooseDirectory(settings, directory);
  if (!opened.ok) return opened;
  return opened.workspace.kind === 'directory' ? { ok: true as const, repository: opened.workspace.path } : { ok: false as const, message: 'is no directory' };
}

/** Of the copy that a command means. */
const nameOf = (commandId: string): string => createHash('sha256').update(commandId).digest('hex').slice(0, 16);
