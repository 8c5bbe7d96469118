/** The sample task: a bundled repository with a failing test, and the script that mends it. */
import { cp, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Configuration } from '@/lib/config/environment';

export const SAMPLE_TASK = 'Fix the failing test';
export const SAMPLE_VERIFIER = 'node --test';

export const sampleScript = (packageRoot: string): string => path.join(packageRoot, 'lib', 'sample', 'script.json');

/** A fresh copy, so that the sample can be run any number of times. @returns its canonical path. */
export async function copySample({ packageRoot, dataDirectory }: Configuration): Promise<string> {
  const parent = path.join(dataDirectory, 'workspaces');
  await mkdir(parent, { recursive: true });
  const directory = await realpath(await mkdtemp(path.join(parent, 'sample-')));
  await cp(path.join(packageRoot, 'lib', 'sample', 'repository'), directory, { recursive: true });
  return directory;
}
