import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { findPackageRoot } from '@/lib/config/package-root';

test('what runs in the browser, the fold with it, needs nothing of node', async () => {
  const root = findPackageRoot();
  const contents = `export { createRunFeed } from './lib/live/run-feed'; export { evolve, fold } from './lib/domain/run/evolve'; export * from './lib/live/frame';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    minify: true,
    alias: { '@': root },
    logLevel: 'silent',
  });
  expect(outputFiles[0]?.text).not.toMatch(/node:|require\(/);
});
