import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findPackageRoot } from '@/lib/config/package-root';

test('in a directory that is gone, a command is refused as a wrong call and never looks like a failed run', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'gone-'));
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" runs';
  const executable = path.join(findPackageRoot(), 'lib/cli/pilothouse.mjs');
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', directory, process.execPath, executable], { encoding: 'utf8' });
  expect(stderr).toBe('pilothouse: the current directory does not exist any more; change to another one first\n');
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
});
