import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes the Prisma client to lib/generated unless it is there for this very schema.
 * For the holder of the build lock only.
 *
 * @param {string} packageRoot
 * @returns {Promise<boolean>} whether it had to be written
 */
export async function generateClient(packageRoot) {
  const stampFile = path.join(packageRoot, 'lib', 'generated', 'made-from');
  const stamp = await sourceStamp(packageRoot);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return false;
  await runPrisma(packageRoot);
  // Last, so that a killed run is repeated.
  await writeFile(stampFile, stamp);
  return true;
}

async function sourceStamp(packageRoot) {
  const hash = createHash('sha256');
  for (const file of ['prisma/schema.prisma', 'prisma/prisma.config.ts', 'node_modules/prisma/package.json']) {
    hash.update(await readFile(path.join(packageRoot, file)));
  }
  return hash.digest('hex');
}

async function runPrisma(packageRoot) {
  const prisma = spawn(
    process.execPath,
    [path.join(packageRoot, 'node_modules', 'prisma', 'build', 'index.js'), 'generate', '--config', 'prisma/prisma.config.ts'],
    {
      cwd: packageRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // Prisma looks for a native engine, and downloads one, even for what does not use it. Any existing file will do.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  );
  let output = '';
  for (const stream of [prisma.stdout, prisma.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve, reject) => prisma.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`prisma generate failed:\n${output.trim()}`);
}
