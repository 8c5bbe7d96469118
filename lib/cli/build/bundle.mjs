import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** The programs of Pilothouse; each becomes `<name>.mjs`. */
const ENTRY_POINTS = {
  main: 'lib/cli/main.ts',
  migrations: 'lib/store/migrate/main.ts',
  bench: 'lib/testing/bench/write-path.ts',
};

const KEPT = 2;

/**
 * Bundles all programs into `directory`, which appears complete or not at all.
 *
 * @param {string} packageRoot
 * @param {string} directory
 */
export async function bundle(packageRoot, directory) {
  const { build } = await import('esbuild');
  const partial = `${directory}.partial-${randomUUID()}`;
  try {
    await build({
      absWorkingDir: packageRoot,
      entryPoints: Object.entries(ENTRY_POINTS).map(([out, source]) => ({ in: source, out })),
      outdir: partial,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      packages: 'external',
      // What a program imports on demand is loaded on demand in the bundle too.
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'silent',
    });
    await rename(partial, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Removes old builds, and what killed ones left. Best effort: a build that is not
 * removed costs disk space only.
 *
 * @param {string} cache
 */
export async function removeOldBuilds(cache) {
  try {
    const names = (await readdir(cache)).filter((name) => name !== 'build.lock');
    const partial = names.filter((name) => name.includes('.partial-'));
    const builds = await Promise.all(
      names
        .filter((name) => !partial.includes(name))
        .map(async (name) => ({ name, made: (await stat(path.join(cache, name))).mtimeMs })),
    );
    builds.sort((a, b) => b.made - a.made);
    const old = [...builds.slice(KEPT).map(({ name }) => name), ...partial];
    await Promise.all(old.map((name) => rm(path.join(cache, name), { recursive: true, force: true })));
  } catch {
    // See above.
  }
}
