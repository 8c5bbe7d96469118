import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { findPackageRoot } from '@/lib/config/package-root';

/**
 * Bundles one TypeScript program (a path from the package root) as the real build
 * does, so that a test can run it as a process of its own. Returns the file to run.
 */
export async function bundleProgram(source: string): Promise<string> {
  const packageRoot = findPackageRoot();
  const name = createHash('sha256').update(source).digest('hex').slice(0, 12);
  // Below node_modules, where its imports are found.
  const file = path.join(packageRoot, 'node_modules', '.cache', 'pilothouse-tests', `${name}.mjs`);
  const partial = `${file}.${process.pid}`; // two test files may bundle the same program at once
  await build({
    absWorkingDir: packageRoot,
    entryPoints: [source],
    outfile: partial,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  await rename(partial, file);
  return file;
}
