// What makes a checkout runnable: the Prisma client and the bundles, made when they
// are first needed and again when a source has changed. Plain JavaScript, because it
// runs before anything is built. Shared by the executable, the start and the tests.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sourceHash } from './build/source-hash.mjs';

export const packageRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const cache = path.join(packageRoot, 'node_modules', '.cache', 'pilothouse');

/** @param {string} line */
const tell = (line) => process.stderr.write(`${line}\n`);

/**
 * The directory that holds the bundle of the present sources (`main.mjs`,
 * `worker.mjs`, …), building it when it is missing. Any number of processes may ask
 * at once; a package that is built may be read-only.
 *
 * @param {(line: string) => void} [say] told when something takes time
 * @returns {Promise<string>}
 */
export async function ensureBuilt(say = tell) {
  const directory = path.join(cache, sourceHash(packageRoot));
  if (existsSync(directory)) return directory;
  const started = performance.now();
  say('pilothouse: building …');
  const { underBuildLock } = await import('./build/build-lock.mjs');
  await underBuildLock(cache, async () => {
    if (existsSync(directory)) return;
    const { bundle, removeOldBuilds } = await import('./build/bundle.mjs');
    const { generateClient } = await import('./build/generate-client.mjs');
    await generateClient(packageRoot);
    await bundle(packageRoot, directory);
    await removeOldBuilds(cache);
  });
  say(`pilothouse: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return directory;
}

/** Makes sure that lib/generated holds the Prisma client, for the type checker and the tests. */
export async function ensureClient() {
  const { underBuildLock } = await import('./build/build-lock.mjs');
  const { generateClient } = await import('./build/generate-client.mjs');
  return underBuildLock(cache, () => generateClient(packageRoot));
}

/**
 * Builds when needed and runs a program of the bundle in this process.
 *
 * @param {string} name
 */
export async function runProgram(name) {
  refuseLostDirectory();
  let directory;
  try {
    directory = await ensureBuilt();
  } catch (error) {
    const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ENOENT';
    tell(`pilothouse: cannot be built: ${error.message}`);
    if (missing) tell(`Run "npm ci" in ${packageRoot} first.`);
    process.exit(70);
  }
  await import(pathToFileURL(path.join(directory, `${name}.mjs`)).href);
}

/** Before anything else, since much of what is loaded asks for it and would end the process with 1, which means "failed". */
function refuseLostDirectory() {
  try {
    process.cwd();
  } catch {
    tell('pilothouse: the current directory does not exist any more; change to another one first');
    process.exit(64);
  }
}
