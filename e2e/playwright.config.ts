import { existsSync } from 'node:fs';
import { chromium, defineConfig, devices } from '@playwright/test';
import { STORAGE_STATE } from './browser/stack';

/** Playwright's own browser where it is there, else one of the system; CHROMIUM_PATH goes before both. */
function browserPath(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') return given;
  if (existsSync(chromium.executablePath())) return undefined;
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(
    (path) => existsSync(path),
  );
}

const executablePath = browserPath();
const isRoot = process.getuid?.() === 0;

/**
 * What people do, in a real browser, against the whole of it: supervisor, web server,
 * worker and database, started once for all tests.
 */
export default defineConfig({
  testDir: 'browser',
  outputDir: '../test-results',
  globalSetup: './browser/start-stack.ts',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'sign in', testMatch: /sign-in\.setup\.ts/ },
    {
      name: 'desktop',
      dependencies: ['sign in'],
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 }, storageState: STORAGE_STATE },
    },
    {
      name: 'phone',
      dependencies: ['sign in'],
      // What depends on no width is tested once.
      grepInvert: /@desktop/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, storageState: STORAGE_STATE },
    },
  ],
});
