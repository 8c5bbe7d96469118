import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * `.git/commondir` tells git to take config and hooks from another directory, past
 * the ones that are mounted read-only. An absent file cannot be mounted on, so one
 * that a command leaves behind is taken away again after it.
 * @returns to be called when the command has ended.
 */
export function guardCommonDirectory(root: string): () => void {
  const file = path.join(root, '.git', 'commondir');
  if (existsSync(file)) return () => undefined;
  return () => {
    rmSync(file, { recursive: true, force: true });
  };
}
