import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

// The bench is bundled too, and lies where the tests are.
const FOLDERS = ['lib', 'lib/testing/bench', 'prisma'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];
/** What no bundle contains. The generated client follows from prisma/schema.prisma, which counts. */
const LEFT_OUT = new Set(['lib/generated', 'lib/testing']);

/**
 * Names the state of everything a bundle is made from. By content, not by time:
 * checkouts and copies change times, and an unchanged source must not build again.
 * It runs at every start of the command line, so it stays synchronous and plain.
 *
 * @param {string} packageRoot
 * @returns {string}
 */
export function sourceHash(packageRoot) {
  const hash = createHash('sha256');
  const files = [...FILES, ...FOLDERS.flatMap((folder) => sourcesIn(packageRoot, folder))];
  for (const file of files) {
    const content = readFileSync(path.join(packageRoot, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 20);
}

/** @returns {string[]} paths from the package root, in an order that is the same everywhere */
function sourcesIn(packageRoot, folder) {
  const entries = readdirSync(path.join(packageRoot, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(file) ? [] : sourcesIn(packageRoot, file);
    return entry.isFile() && !/\.(test\.tsx?|md)$/.test(entry.name) ? [file] : [];
  });
}
