import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { applyPatch } from 'diff';
import { afterAll, describe, expect, test } from 'vitest';
import { createCommandRunner } from './command/create-command-runner';
import { detectSandbox } from './command/detect-sandbox';
import { createToolPort } from './registry';
import { searchFiles } from './search-files';
import { callTool } from './testing/call-tool';
import type { CallOptions } from './testing/call-tool';
import { scratchDirectory } from './testing/scratch-directory';
import { unifiedDiff, wholeHunk } from './unified-diff';
import { createVerificationPort } from './verify';

const runner = createCommandRunner({ sandbox: await detectSandbox({ unsandboxed: true }), watcher: { leaseMs: null } });
afterAll(() => runner.close());
const port = createToolPort({ runner });

function call(root: string, name: string, args: Parameters<typeof callTool>[2], options?: CallOptions) {
  const tool = port.find(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return callTool(tool, root, args, options);
}

function place(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const root = scratchDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  return root;
}

const text = (root: string, name: string): string => readFileSync(path.join(root, name), 'utf8');

describe('arguments', () => {
  test('an unknown argument is refused and the valid ones are named', async () => {
    expect(await call(place(), 'edit', { path: 'a', old_text: 'a', new_text: 'b', all: true })).toEqual({
      kind: 'refused', code: 'invalid_arguments', message: 'unknown: all. edit takes path, old_text, new_text, replace_all.',
    });
  });

  test.each([
    ['read_file', null], ['read_file', []], ['read_file', { path: 1 }], ['read_file', { path: 'a', offset: -1 }],
    ['run_command', { command: 'true', timeout_seconds: 601 }], ['run_command', { command: '' }], ['search_files', { pattern: '(' }],
    ['update_plan', { items: [{ text: 'x', status: 'nearly' }] }], ['update_plan', { items: [{ text: 'x', status: 'pending', owner: 'me' }] }],
    ['complete_step', { evidence: {} }], ['report_blocker', { kind: 'tired', summary: 'x' }],
  ])('%s refuses %j', async (name, args) => {
    expect(await call(place(), name, args)).toMatchObject({ kind: 'refused', code: 'invalid_arguments' });
  });

  test('every tool describes its arguments as a closed JSON Schema object', () => {
    expect(port.descriptions.map((description) => description.name)).toEqual([
      'list_files', 'read_file', 'search_files', 'write_file', 'edit', 'run_command', 'update_plan', 'complete_step', 'report_blocker',
    ]);
    for (const { parameters } of port.descriptions) expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(port.find('edit')?.description.parameters).toMatchObject({ required: ['path', 'old_text', 'new_text'] });
  });
});

describe('read_file', () => {
  test('gives the file as it is, by lines where asked, and nothing past the end', async () => {
    const root = place({ a: '\ufeffone\r\ntwo\nthree' });
    expect(await call(root, 'read_file', { path: 'a' })).toEqual({ kind: 'completed', output: '\ufeffone\r\ntwo\nthree', truncated: false });
    expect(await call(root, 'read_file', { path: 'a', offset: 1, limit: 1 })).toMatchObject({ output: 'two\n', truncated: false });
    expect(await call(root, 'read_file', { path: 'a', offset: 3 })).toEqual({ kind: 'completed', output: '', truncated: false });
    expect(await call(root, 'read_file', { path: 'a', offset: 1e9 })).toMatchObject({ output: '' });
  });

  test('a long file is cut between lines and says where it goes on; put together it is whole', async () => {
    const content = Array.from({ length: 9_000 }, (_, i) => `Zeile ${i} ä€😀\n`).join('');
    const root = place({ a: content });
    let offset = 0;
    let whole = '';
    for (;;) {
      const result = await call(root, 'read_file', { path: 'a', offset });
      if (result.kind !== 'completed') throw new Error(result.kind);
      expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(64 * 1024);
      const next = /\[cut: \d+ more bytes; continue with offset (\d+)\]\n$/.exec(result.output);
      whole += next === null ? result.output : result.output.slice(0, next.index);
      if (next === null) break;
      expect(result.truncated).toBe(true);
      offset = Number(next[1]);
    }
    expect(whole).toBe(content);
  });

  test('a single endless line is cut between characters', async () => {
    const result = await call(place({ a: '€'.repeat(50_000) }), 'read_file', { path: 'a' });
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(result.output).not.toContain('\ufffd');
    const shown = /^€+/.exec(result.output)?.[0] ?? '';
    expect(result.output).toContain(`${150_000 - Buffer.byteLength(shown)} more bytes`);
  });

  test('binary files are named, large ones and other things refused', async () => {
    const root = place({ nul: Buffer.from([1, 0, 2]), latin: Buffer.from([0x66, 0xfc, 0x72]), big: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') });
    execFileSync('mkfifo', [path.join(root, 'fifo')]);
    symlinkSync('/etc/passwd', path.join(root, 'link'));
    expect(await call(root, 'read_file', { path: 'nul' })).toMatchObject({ output: 'binary file, 3 bytes' });
    expect(await call(root, 'read_file', { path: 'latin' })).toMatchObject({ output: 'binary file, 3 bytes' });
    expect(await call(root, 'read_file', { path: 'big' })).toMatchObject({ kind: 'failed', code: 'too_large' });
    expect(await call(root, 'read_file', { path: 'fifo' })).toMatchObject({ kind: 'refused', code: 'not_a_file' });
    expect(await call(root, 'read_file', { path: '.' })).toMatchObject({ kind: 'refused', code: 'not_a_file' });
    expect(await call(root, 'read_file', { path: 'link' })).toMatchObject({ kind: 'refused', code: 'outside_workspace' });
    expect(await call(root, 'read_file', { path: 'none' })).toMatchObject({ kind: 'refused', code: 'not_found' });
  });
});

describe('list_files and search_files', () => {
  const files = { 'b.txt': 'needle\n', 'a/x.txt': 'one\ntwo needle\n', 'node_modules/m/i.js': 'needle', '.git/HEAD': 'needle', bin: Buffer.from([0, 1]) };

  test('a listing is sorted, names links, and says what it passes by', async () => {
    const root = place(files);
    symlinkSync('/etc', path.join(root, 'link'));
    expect(await call(root, 'list_files', {})).toMatchObject({
      output: '.git/ (not listed)\na/\na/x.txt\nb.txt\nbin\nlink (symbolic link)\nnode_modules/ (not listed)\n', truncated: false,
    });
    expect(await call(root, 'list_files', { path: 'node_modules' })).toMatchObject({ output: 'node_modules/m/\nnode_modules/m/i.js\n' });
    expect(await call(root, 'list_files', { offset: 1, limit: 2 })).toMatchObject({ output: 'a/\na/x.txt\n[more; continue with offset 3]\n', truncated: true });
    expect(await call(root, 'list_files', { offset: 100 })).toEqual({ kind: 'completed', output: '', truncated: false });
    expect(await call(root, 'list_files', { path: 'link' })).toMatchObject({ code: 'outside_workspace' });
  });

  test('a search finds lines and says what it did not search', async () => {
    const root = place(files);
    expect(await call(root, 'search_files', { pattern: 'needle' })).toMatchObject({
      output: 'a/x.txt:2:two needle\nb.txt:1:needle\n[2 directories not searched (.git, node_modules)]\n[1 files not searched (binary or too large)]\n',
      truncated: false,
    });
    expect(await call(root, 'search_files', { pattern: '^NEE', ignore_case: true, path: 'b.txt' })).toMatchObject({ output: 'b.txt:1:needle\n' });
    expect(await call(root, 'search_files', { pattern: 'needle', limit: 1 })).toMatchObject({ truncated: true });
    expect(await call(root, 'search_files', { pattern: 'needle', offset: 2 })).toEqual({ kind: 'completed', output: '', truncated: false });
    expect(await call(root, 'search_files', { pattern: 'absent', path: 'a' })).toMatchObject({ output: 'no matches\n' });
  });

  test('a pattern that never ends costs its time and no more', async () => {
    const root = place({ a: 'hit aaa!\n', b: `${'a'.repeat(40)}!\n` });
    const startedAt = performance.now();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 20);
    const result = await callTool(searchFiles([], 600), root, { pattern: '(a+)+$|hit' });
    clearInterval(ticking);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(ticks).toBeGreaterThan(10);
    expect(result).toMatchObject({ kind: 'completed', truncated: true });
    expect('output' in result ? result.output : '').toMatch(/^a:1:hit aaa!\n\[stopped: the time/);
  });

  test('an abort ends a search', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    const result = await call(place({ b: `${'a'.repeat(40)}!\n` }), 'search_files', { pattern: '(a+)+$' }, { signal: abort.signal });
    expect(result).toMatchObject({ kind: 'failed', code: 'aborted' });
  });
});

describe('write_file', () => {
  test('creates with its directories, replaces, shows a diff and the path', async () => {
    const root = place();
    expect(await call(root, 'write_file', { path: 'x/y/a.txt', content: 'one\n' })).toMatchObject({
      kind: 'completed', changedPaths: ['x/y/a.txt'], diff: '--- /dev/null\n+++ b/x/y/a.txt\n@@ -0,0 +1,1 @@\n+one\n',
    });
    expect(await call(root, 'write_file', { path: 'x/y/a.txt', content: 'two\n' })).toMatchObject({
      kind: 'completed', diff: '--- a/x/y/a.txt\n+++ b/x/y/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n',
    });
    expect(text(root, 'x/y/a.txt')).toBe('two\n');
    expect(await call(root, 'write_file', { path: 'x/y/a.txt', content: 'two\n' })).toMatchObject({ kind: 'completed', changedPaths: [], diff: '' });
    expect(readdirSync(path.join(root, 'x/y'))).toEqual(['a.txt']);
  });

  test('is refused in a read-only workspace, in .git, outside, over 1 MiB, and with a redaction marker', async () => {
    const root = place({ dir: 'x' });
    symlinkSync('/tmp/never-created-by-a-test', path.join(root, 'dangling'));
    const content = 'x';
    expect(await call(root, 'write_file', { path: 'a', content }, { access: 'read_only' })).toMatchObject({ kind: 'refused', code: 'read_only' });
    expect(await call(root, 'write_file', { path: '.git/hooks/pre-commit', content })).toMatchObject({ kind: 'refused', code: 'protected_path' });
    expect(await call(root, 'write_file', { path: '../a', content })).toMatchObject({ kind: 'refused', code: 'outside_workspace' });
    expect(await call(root, 'write_file', { path: 'dangling', content })).toMatchObject({ kind: 'refused', code: 'outside_workspace' });
    expect(await call(root, 'write_file', { path: 'dir/a', content })).toMatchObject({ kind: 'refused', code: 'not_a_directory' });
    expect(await call(root, 'write_file', { path: 'a', content: 'é'.repeat(524_289) })).toMatchObject({ kind: 'refused', code: 'too_large' });
    expect(await call(root, 'write_file', { path: 'a', content: 'key=[redacted:api_key]' })).toMatchObject({ kind: 'refused', code: 'redacted_text' });
    expect(existsSync(path.join(root, 'a'))).toBe(false);
    expect(existsSync('/tmp/never-created-by-a-test')).toBe(false);
  });
});

describe('edit', () => {
  test('replaces one exact piece and keeps the mode', async () => {
    const root = place({ 'run.sh': '#!/bin/sh\necho one\n' });
    chmodSync(path.join(root, 'run.sh'), 0o755);
    expect(await call(root, 'edit', { path: 'run.sh', old_text: 'one', new_text: "$& $1 $'" })).toMatchObject({
      kind: 'completed', changedPaths: ['run.sh'], diff: expect.stringContaining("-echo one\n+echo $& $1 $'\n") as string,
    });
    expect(statSync(path.join(root, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(text(root, 'run.sh')).toBe("#!/bin/sh\necho $& $1 $'\n");
  });

  test.each([
    [{ old_text: 'x', new_text: 'y' }, 'not_found'],
    [{ old_text: 'a', new_text: 'y' }, 'not_unique'],
    [{ old_text: 'a', new_text: 'a' }, 'no_change'],
    [{ old_text: '', new_text: 'y' }, 'empty_old_text'],
    [{ old_text: 'b', new_text: '[redacted:token]' }, 'redacted_text'],
    [{ old_text: 'a', new_text: 'y'.repeat(1024 * 1024), replace_all: true, path: 'many' }, 'too_large'],
    [{ old_text: 'x', new_text: 'y', path: 'bin' }, 'binary_file'],
    [{ old_text: 'x', new_text: 'y', path: 'none' }, 'not_found'],
  ])('%j is %s, and nothing changes', async (args, code) => {
    const root = place({ f: 'a b a', bin: Buffer.from([0, 0x78]), many: 'a'.repeat(1_000) });
    const result = await call(root, 'edit', { path: 'f', ...args });
    expect(['refused', 'failed']).toContain(result.kind);
    expect(result).toMatchObject({ code });
    expect(text(root, 'f')).toBe('a b a');
  });

  test('replace_all replaces all', async () => {
    const root = place({ f: 'a b a' });
    expect(await call(root, 'edit', { path: 'f', old_text: 'a', new_text: 'aa', replace_all: true })).toMatchObject({ output: 'edited f: 2 replacements' });
    expect(text(root, 'f')).toBe('aa b aa');
  });

  test('a CRLF file with a BOM is matched and stays what it is', async () => {
    const root = place({ f: '\ufeffone\r\ntwo\r\nthree\r\n' });
    await call(root, 'edit', { path: 'f', old_text: 'one\ntwo', new_text: '1\n2\n2b' });
    expect(text(root, 'f')).toBe('\ufeff1\r\n2\r\n2b\r\nthree\r\n');
    await call(root, 'edit', { path: 'f', old_text: '2\r\n2b', new_text: 'x\r\ny' });
    expect(text(root, 'f')).toBe('\ufeff1\r\nx\r\ny\r\nthree\r\n');
  });

  test('in a file of mixed line endings only the exact text counts', async () => {
    const root = place({ f: 'a\r\nb\nc\n' });
    expect(await call(root, 'edit', { path: 'f', old_text: 'a\nb', new_text: 'x' })).toMatchObject({ code: 'not_found' });
    expect(await call(root, 'edit', { path: 'f', old_text: 'b\nc', new_text: 'b\nd' })).toMatchObject({ kind: 'completed' });
    expect(text(root, 'f')).toBe('a\r\nb\nd\n');
  });
});

describe('diffs', () => {
  test('are bounded in time and bytes', () => {
    const lines = (seed: number): string => Array.from({ length: 60_000 }, (_, i) => `${(i * seed) % 7919}\n`).join('');
    const startedAt = performance.now();
    const diff = unifiedDiff('f', lines(7), lines(11));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(32 * 1024);
    expect(diff).toMatch(/\[diff cut: \d+ more bytes\]\n$/);
  });
});

describe('the diff for texts that take too long', () => {
  test.each([
    ['', 'a\n'], ['a\n', ''], ['a', 'b'], ['a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nX\ne\nf\n'], ['a\nb', 'a\nb\n'], ['1\n2\n3\n4\n5\n6\n7\n', '0\n1\n2\n3\n4\n6\n7\n8'],
  ])('%j to %j can be applied', (before, after) => {
    expect(applyPatch(before, `--- a/f\n+++ b/f\n${wholeHunk(before, after)}`)).toBe(after);
  });
});

describe('directives', () => {
  test('are handed on as the model gave them', async () => {
    const root = place();
    expect(await call(root, 'update_plan', { items: [{ text: 'x', status: 'pending' }] })).toEqual({
      kind: 'directive', directive: { kind: 'update_plan', items: [{ text: 'x', status: 'pending' }] },
    });
    expect(await call(root, 'complete_step', { success: false, reason: 'cannot' })).toEqual({
      kind: 'directive', directive: { kind: 'complete_step', success: false, evidence: {}, reason: 'cannot' },
    });
    expect(await call(root, 'report_blocker', { kind: 'user_decision', summary: 's', question: 'q?' })).toEqual({
      kind: 'directive', directive: { kind: 'report_blocker', report: { kind: 'user_decision', summary: 's', question: 'q?', evidence: [] } },
    });
  });
});

describe('run_command and the verifier', () => {
  test('a non-zero exit is a completed call', async () => {
    expect(await call(place(), 'run_command', { command: 'echo out; exit 2' })).toEqual({ kind: 'completed', output: 'out\n', truncated: false, exitCode: 2 });
  });

  test('the verifier tells a failed check from one that did not run', async () => {
    const workspace = { root: place(), access: 'read_write' as const };
    const verifier = createVerificationPort({ runner, workspace, timeoutMs: 400 });
    const { signal } = new AbortController();
    expect(await verifier.verify('echo o; echo e >&2; exit 1', signal)).toEqual({ ran: true, exitCode: 1, stdout: 'o\n', stderr: 'e\n' });
    expect(await verifier.verify('sleep 5', signal)).toMatchObject({ ran: false });
    expect(await verifier.verify('true', AbortSignal.abort())).toMatchObject({ ran: false });
    const long = await verifier.verify('head -c 100000 /dev/zero | tr "\\0" a', signal);
    expect(long.ran && Buffer.byteLength(long.stdout)).toBeLessThanOrEqual(16 * 1024);
  });
});
