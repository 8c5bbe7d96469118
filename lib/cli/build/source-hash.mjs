import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * What something is built from, in paths from the package root; what is missing counts as empty.
 *
 * @typedef {{ folders: readonly string[], files: readonly string[], leftOut: ReadonlySet<string> }} Sources
 */

/** @type {Sources} */
const BUNDLED = {
  // The bench is bundled too, and lies where the tests are.
  folders: ['lib', 'lib/testing/bench', 'prisma'],
  files: ['package.json', 'package-lock.json', 'tsconfig.json'],
  // The generated client follows from prisma/schema.prisma, which counts.
  leftOut: new Set(['lib/generated', 'lib/testing']),
};

/**
 * Names the state of everything a bundle is made from. It runs at every start of the
 * command line, so it stays synchronous and plain.
 *
 * @param {string} packageRoot
 * @returns {string}
 */
export const sourceHash = (packageRoot) => hashSources(packageRoot, BUNDLED).slice(0, 20);

/**
 * By content, not by time: checkouts and copies change times, and an unchanged source
 * must not build again.
 *
 * @param {string} packageRoot
 * @param {Sources} sources
 * @returns {string}
 */
export function hashSources(packageRoot, { folders, files, leftOut }) {
  const hash = createHash('sha256');
  for (const file of [...files, ...folders.flatMap((folder) => sourcesIn(packageRoot, folder, leftOut))]) {
    const content = readIfThere(path.join(packageRoot, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @returns {string[]} paths from the package root, in an order that is the same everywhere */
function sourcesIn(packageRoot, folder, leftOut) {
  if (!existsSync(path.join(packageRoot, folder))) return [];
  const entries = readdirSync(path.join(packageRoot, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return leftOut.has(file) ? [] : sourcesIn(packageRoot, file, leftOut);
    return entry.isFile() && !/\.(test\.tsx?|md)$/.test(entry.name) ? [file] : [];
  });
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
