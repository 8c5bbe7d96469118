/** Where the sample's parts lie, and a fresh copy of its repository to work in. */
import { cp, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Configuration } from '@/lib/config/environment';

/** What the scripted model replays to mend the sample. */
export const sampleScript = (packageRoot: string): string => path.join(packageRoot, 'lib', 'sample', 'script.json');

/**
 * A copy of the sample's repository, where workspaces lie. The same name means the same
 * copy, from any process: a command that is sent twice gets one.
 * @returns its canonical path.
 */
export async function copySample(
  { packageRoot, dataDirectory }: Pick<Configuration, 'packageRoot' | 'dataDirectory'>,
  name: string,
): Promise<string> {
  const parent = path.join(dataDirectory, 'workspaces');
  await mkdir(parent, { recursive: true });
  const directory = path.join(await realpath(parent), `sample-${name}`);
  if ((await stat(directory).catch(() => null)) !== null) return directory;
  const draft = `${directory}.${process.pid}-${performance.now()}.draft`;
  await cp(path.join(packageRoot, 'lib', 'sample', 'repository'), draft, { recursive: true });
  try {
    await rename(draft, directory);
  } catch {
    // Another process with the same name was first.
    await rm(draft, { recursive: true, force: true });
  }
  return directory;
}
