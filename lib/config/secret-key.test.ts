import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from './configuration-error';
import { readSecretKey } from './secret-key';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'secret-key-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('readSecretKey', () => {
  it('makes a key once, for its owner only, and leaves nothing else behind', () => {
    const directory = join(root, 'data');
    const key = readSecretKey(directory, 'seal');
    expect(key).toHaveLength(32);
    expect(readSecretKey(directory, 'seal').equals(key)).toBe(true);
    expect(readdirSync(directory)).toEqual(['seal.key']);
    expect(statSync(join(directory, 'seal.key')).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('makes another key for another name', () => {
    expect(readSecretKey(root, 'one').equals(readSecretKey(root, 'two'))).toBe(false);
  });

  it('takes back the permission of others', () => {
    readSecretKey(root, 'seal');
    chmodSync(join(root, 'seal.key'), 0o644);
    readSecretKey(root, 'seal');
    expect(statSync(join(root, 'seal.key')).mode & 0o777).toBe(0o600);
  });

  it('never replaces a file that is not a key', () => {
    writeFileSync(join(root, 'seal.key'), 'short');
    expect(() => readSecretKey(root, 'seal')).toThrow('32 bytes');
  });

  it('names the setting where the system refuses the directory', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => readSecretKey(join(file, 'data'), 'seal')).toThrow(ConfigurationError);
    expect(() => readSecretKey(join(file, 'data'), 'seal')).toThrow(/^PILOTHOUSE_DATA_DIR must be a directory that can be written/);
  });

  it('takes no path for a name', () => {
    expect(() => readSecretKey(root, '../seal')).toThrow(TypeError);
  });

  it('gives processes that start at once the same key', async () => {
    const script = join(root, 'read.cjs');
    buildSync({
      stdin: {
        contents: `import { readSecretKey } from './secret-key';
          while (Date.now() < Number(process.argv[3])) {}
          process.stdout.write(readSecretKey(process.argv[2], 'seal').toString('hex'));`,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      outfile: script,
    });
    const data = join(root, 'data');
    const start = String(Date.now() + 700);
    const run = promisify(execFile);
    const keys = await Promise.all(Array.from({ length: 8 }, () => run(process.execPath, [script, data, start])));
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(data)).toEqual(['seal.key']);
  });
});
