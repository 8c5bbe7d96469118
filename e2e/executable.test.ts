import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { findPackageRoot } from '@/lib/config/package-root';

const run = promisify(execFile);
const elsewhere = mkdtempSync(path.join(tmpdir(), 'pilothouse-e2e-'));
const executable = path.join(findPackageRoot(), 'lib', 'cli', 'pilothouse.mjs');
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

/** What a command printed, whatever it exited with. */
async function outputOf(file: string, words: readonly string[]): Promise<string> {
  const text = (result: unknown): string => {
    const { stdout = '', stderr = '' } = result as { stdout?: string; stderr?: string };
    return stdout + stderr;
  };
  return run(file, words, { cwd: elsewhere }).then(text, text);
}

describe('the executable', { timeout: 120_000 }, () => {
  test('runs from another folder and through a symbolic link, by its own #! line', async () => {
    const link = path.join(elsewhere, 'pilothouse');
    symlinkSync(executable, link);
    await expect(outputOf(link, ['--help'])).resolves.toMatch(/usage: pilothouse/i);
  });

  test('says nothing about building once it is built', async () => {
    await outputOf(executable, ['--help']);
    await expect(outputOf(executable, ['--help'])).resolves.not.toContain('building');
  });
});
