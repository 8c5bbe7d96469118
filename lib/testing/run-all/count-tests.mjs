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

function readReport(reportFile) {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8')).testResults;
  } catch {
    return []; // vitest did not get that far: every layer is empty
  }
}
