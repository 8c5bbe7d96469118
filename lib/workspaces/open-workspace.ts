import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ToolWorkspace } from '@/lib/agent/ports';
import { isInside } from './path-rule';
import { errnoOf } from './path-refusal';

export type WorkspaceErrorCode = 'invalid_path' | 'not_found' | 'not_a_directory' | 'permission_denied' | 'outside_allowed_roots';

export type OpenedWorkspace =
  | { readonly ok: true; readonly workspace: ToolWorkspace }
  | { readonly ok: false; readonly code: WorkspaceErrorCode; readonly message: string };

/**
 * Canonicalises `directory` and lets it through only if, after all links, it is a
 * directory at or under one of `allowedRoots` (also taken after links). The file
 * system's own root is never a workspace.
 * @param directory absolute, or relative to the current directory.
 */
export async function openWorkspace(
  directory: string,
  allowedRoots: readonly string[],
  access: ToolWorkspace['access'],
): Promise<OpenedWorkspace> {
  if (directory === '' || directory.includes('\0')) return refuse('invalid_path', 'the directory is not a valid path');
  let root: string;
  try {
    root = await realpath(path.resolve(directory));
    if (!(await stat(root)).isDirectory()) return refuse('not_a_directory', `${directory} is not a directory`);
  } catch (error) {
    return refuse(CODE_BY_ERRNO[errnoOf(error)] ?? 'not_found', `${directory} cannot be opened (${errnoOf(error)})`);
  }
  const allowed = await Promise.all(allowedRoots.map((allowedRoot) => realpath(allowedRoot).catch(() => null)));
  const isAllowed = allowed.some((allowedRoot) => allowedRoot !== null && isInside(allowedRoot, root));
  if (!isAllowed || root === path.parse(root).root) {
    return refuse('outside_allowed_roots', `${directory} does not lie in a directory in which workspaces may lie`);
  }
  return { ok: true, workspace: { root, access } };
}

const CODE_BY_ERRNO: Readonly<Record<string, WorkspaceErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_a_directory',
  EACCES: 'permission_denied',
  ELOOP: 'invalid_path',
  ENAMETOOLONG: 'invalid_path',
};

function refuse(code: WorkspaceErrorCode, message: string): OpenedWorkspace {
  return { ok: false, code, message };
}
