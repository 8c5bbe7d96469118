import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The layers a test belongs to, by where its file lies. Each must have passed
 * something: a layer that silently ran nothing is a failure of the run.
 */
const LAYERS = {
  unit: (file) => /^(lib|components)\//.test(file) && !file.endsWith('.db.test.ts'),
  database: (file) => file.startsWith('lib/') && file.endsWith('.db.test.ts'),
  process: (file) => file.startsWith('e2e/'),
};

/**
 * @param {string} reportFile what vitest's JSON reporter wrote
 * @param {string} packageRoot
 * @returns {{ passed: number, failed: number, skipped: string[], emptyLayers: string[] }}
 */
export function countTests(reportFile, packageRoot) {
  const counted = { passed: 0, failed: 0, skipped: [], emptyLayers: [] };
  const passedIn = Object.fromEntries(Object.keys(LAYERS).map((layer) => [layer, 0]));
  for (const file of readReport(reportFile)) {
    const name = path.relative(packageRoot, file.name);
    // A file that cannot be loaded fails without a single test.
    if (file.status === 'failed' && file.assertionResults.length === 0) counted.failed += 1;
    for (const test of file.assertionResults) {
      if (test.status === 'passed') {
        counted.passed += 1;
        for (const [layer, holds] of Object.entries(LAYERS)) if (holds(name)) passedIn[layer] += 1;
      } else if (test.status === 'failed') counted.failed += 1;
      else counted.skipped.push(`${name}: ${test.fullName}`);
    }
  }
  counted.emptyLayers = Object.keys(LAYERS).filter((layer) => passedIn[layer] === 0);
  return counted;
}

// A runner that did not get that far leaves no report: every layer of it is empty.
const readReport = (reportFile) => readJson(reportFile).testResults ?? [];

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * The same counts of Playwright's JSON report. A test that passed only when it was
 * tried again is a failure: nothing here may be flaky.
 *
 * @param {string} reportFile
 */
export function countBrowserTests(reportFile) {
  const counted = { passed: 0, failed: 0, skipped: [], emptyLayers: [] };
  const visit = (suite, above) => {
    const name = [...above, suite.title].filter((title) => title !== '');
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status === 'expected') counted.passed += 1;
        else if (test.status === 'skipped') counted.skipped.push(`${name.join(' ')}: ${spec.title}`);
        else counted.failed += 1;
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, name);
  };
  for (const suite of readJson(reportFile).suites ?? []) visit(suite, []);
  if (counted.passed === 0) counted.emptyLayers.push('browser');
  return counted;
}

export function addCounts(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: [...one.skipped, ...other.skipped],
    emptyLayers: [...one.emptyLayers, ...other.emptyLayers],
  };
}
