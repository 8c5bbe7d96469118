// `npm test`: everything that can be checked, in one command. Its last line is
// "N passed, N failed" (and ", N skipped"), and it exits with 0 only if nothing
// failed and every layer of tests ran.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureClient, packageRoot } from '../cli/build.mjs';
import { addCounts, countBrowserTests, countTests } from './run-all/count-tests.mjs';
import { installTools } from './run-all/install-tools.mjs';
import { runStep } from './run-all/run-step.mjs';

const started = performance.now();
const modules = path.join(packageRoot, 'node_modules');
const home = mkdtempSync(path.join(tmpdir(), 'pilothouse-test-run-'));
const reportFile = path.join(home, 'report.json');

installTools();
await ensureClient();

const typeCheck = runStep('type check', [path.join(modules, 'typescript', 'bin', 'tsc'), '--noEmit'], { cwd: packageRoot, quiet: true });
const lint = runStep(
  'lint',
  [path.join(modules, 'eslint', 'bin', 'eslint.js'), '--config', 'lib/config/eslint.config.mjs', '.', '--max-warnings', '0'],
  { cwd: packageRoot, quiet: true },
);
const steps = await Promise.all([typeCheck, lint]);

const vitest = await runStep(
  'tests',
  [
    ...[path.join(modules, 'vitest', 'vitest.mjs'), 'run', '--config', 'lib/testing/vitest.config.ts', '--root', packageRoot],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
  ],
  { cwd: packageRoot, env: plainEnvironment() },
);

// After the others: a browser on two busy cores sees time-outs that no user would.
const browserReport = path.join(home, 'browser.json');
const browser = await runStep(
  'browser tests',
  [path.join(modules, '@playwright', 'test', 'cli.js'), 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
  { cwd: packageRoot, env: { ...plainEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport } },
);

const tests = addCounts(countTests(reportFile, packageRoot), countBrowserTests(browserReport));
rmSync(home, { recursive: true, force: true });

const failedSteps = steps.filter((step) => !step.ok).length;
// vitest also fails for errors outside any test.
const failedOutside = (!vitest.ok || !browser.ok) && tests.failed === 0 ? 1 : 0;
const failed = tests.failed + failedSteps + failedOutside + tests.emptyLayers.length;
const passed = tests.passed + steps.length - failedSteps;

console.log('');
for (const skipped of tests.skipped) console.log(`skipped: ${skipped}`);
for (const layer of tests.emptyLayers) console.log(`FAILED: no ${layer} test ran`);
console.log(`all in ${((performance.now() - started) / 1000).toFixed(1)} s`);
console.log(`${passed} passed, ${failed} failed${tests.skipped.length > 0 ? `, ${tests.skipped.length} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;

/** What the person's own shell says about databases and models must not reach the tests. */
function plainEnvironment() {
  const ours = /^(DATABASE_URL|PORT|HOST|AUTH_.*|OPENAI_.*|PILOTHOUSE_(?!TEST_).*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
