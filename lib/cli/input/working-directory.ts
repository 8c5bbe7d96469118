import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../cli-error';

/**
 * The canonical directory that `--cwd`, or the place of the call, means.
 * @throws CliError (usage) when there is no such directory, or nobody may enter it.
 */
export function workingDirectory(given: string | undefined, here: string): string {
  const shown = given ?? here;
  if (given === '' || shown.includes('\0')) throw usageError('--cwd is not a path');
  try {
    const canonical = realpathSync(path.resolve(here, shown));
    if (!statSync(canonical).isDirectory()) throw usageError(`--cwd ${shown} is not a directory`);
    accessSync(canonical, constants.R_OK | constants.X_OK);
    return canonical;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw usageError(`--cwd ${shown} does not exist`);
    if (code === 'EACCES' || code === 'EPERM') throw usageError(`--cwd ${shown} may not be read`);
    throw error;
  }
}
