import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { scratchDirectory } from '../tools/testing/scratch-directory';
import { openWorkspace } from './open-workspace';
import { resolvePath } from './path-rule';
import { readWorkspaceFile } from './read-file';
import { replaceFile } from './replace-file';

const never = new AbortController().signal;

function workspace() {
  const base = scratchDirectory();
  const root = path.join(base, 'root');
  mkdirSync(path.join(root, 'a'), { recursive: true });
  mkdirSync(path.join(base, 'outside'));
  writeFileSync(path.join(base, 'outside', 'secret'), 'secret');
  writeFileSync(path.join(root, 'file'), 'content');
  return { base, root, outside: path.join(base, 'outside') };
}

async function codeOf(root: string, input: string, purpose: 'read' | 'write' = 'read'): Promise<string> {
  const resolved = resolvePath({ root }, input, purpose);
  return resolved.ok ? `ok:${resolved.kind}:${resolved.relative}` : resolved.code;
}

test('plain paths, in all their spellings', async () => {
  const { root } = workspace();
  expect(await codeOf(root, 'file')).toBe('ok:file:file');
  expect(await codeOf(root, './a/../file')).toBe('ok:file:file');
  expect(await codeOf(root, path.join(root, 'file'))).toBe('ok:file:file');
  expect(await codeOf(root, '.')).toBe('ok:directory:.');
  expect(await codeOf(root, 'a//')).toBe('ok:directory:a');
  expect(await codeOf(root, 'a/new/deep.txt', 'write')).toBe('ok:missing:a/new/deep.txt');
  expect(await codeOf(root, '../root/file')).toBe('ok:file:file');
  expect(await codeOf(root, 'ünï/日本')).toBe('ok:missing:ünï/日本');
});

test('whatever ends outside is refused, existing or not, and says no more than that', async () => {
  const { root, outside } = workspace();
  for (const input of ['..', '../outside/secret', 'a/../../b', 'a/../../outside', '/etc/passwd', outside, `${root}x/file`, '/etc/passwd/x', '../nothing/here', '/']) {
    expect([input, await codeOf(root, input)]).toEqual([input, 'outside_workspace']);
  }
});

test('links are followed: inside they are fine, outside they are refused, also dangling ones', async () => {
  const { root, outside } = workspace();
  symlinkSync('../file', path.join(root, 'a', 'up'));
  symlinkSync('/etc/passwd', path.join(root, 'passwd'));
  symlinkSync(path.join(outside, 'not-yet'), path.join(root, 'dangling'));
  symlinkSync(outside, path.join(root, 'dir'));
  symlinkSync('inside-later', path.join(root, 'later'));
  expect(await codeOf(root, 'a/up')).toBe('ok:file:file');
  expect(await codeOf(root, 'passwd')).toBe('outside_workspace');
  expect(await codeOf(root, 'dangling', 'write')).toBe('outside_workspace');
  expect(await codeOf(root, 'dir/secret')).toBe('outside_workspace');
  expect(await codeOf(root, 'dir/new', 'write')).toBe('outside_workspace');
  expect(await codeOf(root, 'dir/../file')).toBe('outside_workspace');
  expect(await codeOf(root, 'later', 'write')).toBe('ok:missing:inside-later');
});

test('loops, files used as directories, NUL, lone surrogates and endless names', async () => {
  const { root } = workspace();
  symlinkSync('loop2', path.join(root, 'loop1'));
  symlinkSync('loop1', path.join(root, 'loop2'));
  symlinkSync('self/x', path.join(root, 'self'));
  expect(await codeOf(root, 'loop1')).toBe('symlink_loop');
  expect(await codeOf(root, 'self')).toBe('symlink_loop');
  expect(await codeOf(root, 'file/x')).toBe('not_a_directory');
  expect(await codeOf(root, 'file/../file')).toBe('not_a_directory');
  expect(await codeOf(root, 'missing/../file')).toBe('not_found');
  expect(await codeOf(root, 'a\0b')).toBe('invalid_path');
  expect(await codeOf(root, '')).toBe('invalid_path');
  expect(await codeOf(root, '\ud800')).toBe('invalid_path');
  expect(await codeOf(root, 'x'.repeat(256), 'write')).toBe('invalid_path');
  expect(await codeOf(root, `new/${'x'.repeat(300)}`, 'write')).toBe('invalid_path');
  expect(await codeOf(root, 'x/'.repeat(3_000))).toBe('invalid_path');
  expect(await codeOf(root, 'x'.repeat(255), 'write')).toMatch(/^ok:missing/);
});

test('nothing below any .git may be written, whatever it is called', async () => {
  const { root } = workspace();
  mkdirSync(path.join(root, '.git'));
  symlinkSync('.git', path.join(root, 'innocent'));
  for (const input of ['.git/hooks/pre-commit', '.git', 'innocent/config', 'sub/.git/config', '.GIT/config', 'GIT~1/config', '.g\u200cit/config']) {
    expect([input, await codeOf(root, input, 'write')]).toEqual([input, 'protected_path']);
  }
  expect(await codeOf(root, '.git/HEAD')).toBe('ok:missing:.git/HEAD');
  expect(await codeOf(root, '.gitignore', 'write')).toBe('ok:missing:.gitignore');
});

test('hidden directories inside the workspace are closed, and one around it is not', async () => {
  const { root, base } = workspace();
  mkdirSync(path.join(root, '.pilothouse'));
  const rule = { root, hidden: [path.join(root, '.pilothouse'), base] };
  expect(resolvePath(rule, '.pilothouse/key', 'read')).toMatchObject({ ok: false, code: 'protected_path' });
  expect(resolvePath(rule, 'file', 'read')).toMatchObject({ ok: true });
});

test('a FIFO, a device and a socket are never opened', async () => {
  const { root } = workspace();
  execFileSync('mkfifo', [path.join(root, 'fifo')]);
  const resolved = resolvePath({ root }, 'fifo', 'read');
  expect(resolved).toMatchObject({ ok: true, kind: 'other' });
  if (resolved.ok) expect(await readWorkspaceFile(root, resolved, 100)).toMatchObject({ ok: false, code: 'not_a_file' });
  try {
    execFileSync('mknod', [path.join(root, 'device'), 'c', '1', '5'], { stdio: 'ignore' });
  } catch {
    return; // Only root may make devices.
  }
  const device = resolvePath({ root }, 'device', 'read');
  if (device.ok) expect(await readWorkspaceFile(root, device, 100)).toMatchObject({ ok: false, code: 'not_a_file' });
});

test('a root that is replaced by a link is not followed', async () => {
  const { root, base, outside } = workspace();
  const resolved = resolvePath({ root }, 'file', 'read');
  const target = resolvePath({ root }, 'new', 'write');
  renameSync(root, path.join(base, 'moved'));
  symlinkSync(outside, root);
  writeFileSync(path.join(outside, 'file'), 'secret');
  if (!resolved.ok || !target.ok) throw new Error('not resolved');
  expect(await readWorkspaceFile(root, resolved, 100)).toMatchObject({ ok: false });
  expect(await replaceFile(root, target, { bytes: Buffer.from('x'), expected: null, signal: never })).toMatchObject({ ok: false });
  expect(await codeOf(root, 'file')).toBe('outside_workspace');
  expect(readdirSync(outside).sort()).toEqual(['file', 'secret']);
});

test('a file that somebody else changed meanwhile is not replaced, and nothing is left behind', async () => {
  const { root } = workspace();
  const resolved = resolvePath({ root }, 'file', 'write');
  if (!resolved.ok) throw new Error('not resolved');
  const read = await readWorkspaceFile(root, resolved, 100);
  if (!read.ok) throw new Error('not read');
  writeFileSync(path.join(root, 'file'), 'by somebody else');
  expect(await replaceFile(root, resolved, { bytes: Buffer.from('x'), expected: read.stats, signal: never })).toMatchObject({ code: 'changed_meanwhile' });
  expect(readFileSync(path.join(root, 'file'), 'utf8')).toBe('by somebody else');
  const fresh = await readWorkspaceFile(root, resolved, 100);
  if (!fresh.ok) throw new Error('not read');
  expect(await replaceFile(root, resolved, { bytes: Buffer.from('x'), expected: fresh.stats, signal: AbortSignal.abort() })).toMatchObject({ code: 'aborted' });
  expect(readdirSync(root).sort()).toEqual(['a', 'file']);
});

test('the other name of a hard-linked file keeps its content', async () => {
  const { root, outside } = workspace();
  linkSync(path.join(root, 'file'), path.join(outside, 'hard'));
  const resolved = resolvePath({ root }, 'file', 'write');
  if (!resolved.ok) throw new Error('not resolved');
  const read = await readWorkspaceFile(root, resolved, 100);
  if (!read.ok) throw new Error('not read');
  expect(await replaceFile(root, resolved, { bytes: Buffer.from('new'), expected: read.stats, signal: never })).toEqual({ ok: true });
  expect(readFileSync(path.join(outside, 'hard'), 'utf8')).toBe('content');
});

// Elsewhere descriptors have no paths, and the rule says that it cannot hold against this.
test.skipIf(process.platform !== 'linux')('a thread that swaps a directory and a link all the time never gets anything outside read or written', async () => {
  const { root, outside } = workspace();
  mkdirSync(path.join(root, 'swap'));
  for (const directory of [path.join(root, 'swap'), outside]) writeFileSync(path.join(directory, 'f'), directory === outside ? 'secret' : 'inside');
  writeFileSync(path.join(root, 'leaf'), 'inside');
  const swapper = new Worker(
    `const fs = require('node:fs'), { workerData: { root, outside } } = require('node:worker_threads');
     fs.symlinkSync(outside, root + '/link'); fs.symlinkSync(outside + '/f', root + '/leaf-link');
     // Each state is held for a moment of random length, so that every step of the other side meets every state.
     const dwell = () => { const until = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 400_000)); while (process.hrtime.bigint() < until); };
     const move = (from, to) => { try { fs.renameSync(root + '/' + from, root + '/' + to); } catch {} };
     for (;;) {
       move('swap', 'held'); move('link', 'swap'); dwell();
       move('swap', 'link'); move('held', 'swap'); dwell();
       move('leaf-link', 'leaf'); dwell();
       try { fs.rmSync(root + '/leaf', { force: true }); fs.writeFileSync(root + '/leaf', 'inside'); fs.symlinkSync(outside + '/f', root + '/leaf-link'); } catch {}
       dwell();
     }`,
    { eval: true, workerData: { root, outside } },
  );
  onTestFinished(async () => {
    await swapper.terminate();
  });
  const seen = { read: 0, written: 0, refused: 0 };
  const until = performance.now() + 4_000;
  for (let round = 0; performance.now() < until; round += 1) {
    const input = round % 3 === 0 ? 'leaf' : 'swap/f';
    const resolved = resolvePath({ root }, input, 'write');
    if (!resolved.ok) {
      seen.refused += 1;
      continue;
    }
    const read = await readWorkspaceFile(root, resolved, 100);
    if (read.ok) {
      expect(['inside', 'written', '']).toContain(read.bytes.toString());
      seen.read += 1;
    } else seen.refused += 1;
    const replaced = await replaceFile(root, resolved, { bytes: Buffer.from('written'), expected: read.ok ? read.stats : null, signal: never });
    if (replaced.ok) seen.written += 1;
    const made = resolvePath({ root }, `swap/new-${round}/x`, 'write');
    if (made.ok) await replaceFile(root, made, { bytes: Buffer.from('written'), expected: null, signal: never });
  }
  expect(readFileSync(path.join(outside, 'f'), 'utf8')).toBe('secret');
  expect(readdirSync(outside).sort()).toEqual(['f', 'secret']);
  // It has to have been a race, not a closed door.
  expect(seen.read).toBeGreaterThan(10);
  expect(seen.written).toBeGreaterThan(10);
  expect(seen.refused).toBeGreaterThan(10);
});

test('a workspace is opened only under an allowed root, after links', async () => {
  const { base, root, outside } = workspace();
  symlinkSync(outside, path.join(root, 'out'));
  symlinkSync(root, path.join(base, 'alias'));
  expect(await openWorkspace(path.join(base, 'alias'), [root], 'read_write')).toEqual({ ok: true, workspace: { root, access: 'read_write' } });
  expect(await openWorkspace(path.join(root, 'a'), [path.join(base, 'alias')], 'read_only')).toMatchObject({ ok: true });
  expect(await openWorkspace(path.join(root, 'out'), [root], 'read_write')).toMatchObject({ code: 'outside_allowed_roots' });
  expect(await openWorkspace(`${root}/../outside`, [root], 'read_write')).toMatchObject({ code: 'outside_allowed_roots' });
  expect(await openWorkspace(path.join(root, 'file'), [root], 'read_write')).toMatchObject({ code: 'not_a_directory' });
  expect(await openWorkspace(path.join(root, 'nothing'), [root], 'read_write')).toMatchObject({ code: 'not_found' });
  expect(await openWorkspace('/', ['/'], 'read_write')).toMatchObject({ code: 'outside_allowed_roots' });
  expect(existsSync(path.join(root, 'nothing'))).toBe(false);
});
