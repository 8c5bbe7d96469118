/**
 * Builds the web server when its build is missing or made from other sources. What the
 * sources are is decided by their content (stack.md: not by `.next/BUILD_ID`, which
 * says only that some build succeeded once).
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { lock } from 'proper-lockfile';
import { hashSources, type Sources } from '../build/source-hash.mjs';

const SOURCES: Sources = {
  folders: ['app', 'components', 'lib', 'prisma', 'public'],
  files: ['package.json', 'package-lock.json', 'tsconfig.json', 'next.config.mjs', 'postcss.config.mjs', 'instrumentation.ts', 'proxy.ts'],
  leftOut: new Set(['lib/generated', 'lib/testing', 'lib/cli']),
};

export type WebBuild = { readonly ok: true; readonly built: boolean } | { readonly ok: false; readonly output: string };

/** @param say told when it takes time. */
export async function buildWeb(packageRoot: string, say: (line: string) => void): Promise<WebBuild> {
  const stamp = path.join(packageRoot, '.next', 'pilothouse-sources');
  // Native parts follow the Node version.
  const wanted = `${process.version} ${hashSources(packageRoot, SOURCES)}`;
  if (readOr(stamp) === wanted) return { ok: true, built: false };
  await mkdir(path.join(packageRoot, '.next'), { recursive: true });
  // Two starts at once must not write one build.
  const release = await lock(path.join(packageRoot, '.next'), { stale: 20_000, retries: { retries: 300, minTimeout: 500, maxTimeout: 1_000 } });
  try {
    if (readOr(stamp) === wanted) return { ok: true, built: false };
    say('building the web pages (first start, or the sources changed) …');
    await rm(stamp, { force: true });
    const { code, output } = await runNextBuild(packageRoot);
    if (code !== 0) return { ok: false, output };
    writeFileSync(stamp, wanted);
    return { ok: true, built: true };
  } finally {
    await release();
  }
}

function runNextBuild(packageRoot: string): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(packageRoot, 'node_modules/next/dist/bin/next'), 'build'], {
      cwd: packageRoot,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function readOr(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
