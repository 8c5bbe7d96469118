import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const packageRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * How every test of the project runs: `vitest run --config lib/testing/vitest.config.ts`.
 *
 * Files run in parallel, each in a process of its own, so that a test can break
 * its process, its environment or its database without another noticing.
 */
export default defineConfig({
  root: packageRoot,
  resolve: { alias: [{ find: /^@\//, replacement: `${packageRoot}/` }] },
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.ts', 'e2e/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['lib/testing/postgres-server.ts'],
    testTimeout: 15_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
