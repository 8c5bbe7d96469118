import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { findPackageRoot } from './package-root';

const home = mkdtempSync(path.join(tmpdir(), 'pilothouse-package-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function moduleAt(...parts: string[]): string {
  const file = path.join(home, ...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return pathToFileURL(file).href;
}

describe("Pilothouse's own package root", () => {
  writeFileSync(path.join(home, 'package.json'), '{"name":"pilothouse"}');

  test('is found from a source file', () => {
    expect(findPackageRoot(moduleAt('lib', 'config', 'package-root.ts'))).toBe(home);
  });

  test('is found from a bundle in the build cache', () => {
    expect(findPackageRoot(moduleAt('node_modules', '.cache', 'pilothouse', 'abc', 'main.js'))).toBe(home);
  });

  test('is not a package of another name on the way, nor a broken one', () => {
    const inner = moduleAt('node_modules', 'other', 'index.js');
    writeFileSync(path.join(home, 'node_modules', 'other', 'package.json'), '{"name":"other"}');
    writeFileSync(path.join(home, 'node_modules', 'package.json'), '{ broken');
    expect(findPackageRoot(inner)).toBe(home);
  });
});
