import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A canonical directory of the test's own, removed when it ends. */
export function scratchDirectory(name = 'pilothouse-test-'): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), name)));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
