import { createHash } from 'node:crypto';
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
  const outfile = path.join(packageRoot, 'node_modules', '.cache', 'pilothouse-tests', `${name}-${process.pid}.mjs`);
  await build({
    absWorkingDir: packageRoot,
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return outfile;
}
