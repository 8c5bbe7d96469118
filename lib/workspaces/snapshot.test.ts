import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TurnId } from '@/lib/domain/id';
import { scratchDirectory } from '../tools/testing/scratch-directory';
import { forgetSnapshot } from './forget-snapshot';
import { createSnapshot } from './snapshot';

const TURN: TurnId = 'trn_01J00000000000000000000000';
const OTHER: TurnId = 'trn_01J00000000000000000000001';

function place() {
  const root = scratchDirectory('pilothouse-workspace-');
  const dataDirectory = scratchDirectory('pilothouse-data-');
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  return { root, dataDirectory, write, open: (turnId = TURN) => createSnapshot({ root, turnId, dataDirectory }) };
}

test('without a remembered start nothing differs', async () => {
  const { write, open } = place();
  const snapshot = open();
  write('a', 'x');
  expect(await snapshot.compare()).toBe('equal');
  expect(await snapshot.diff()).toEqual({ text: '', truncated: false });
  expect(await snapshot.differing(['a'])).toEqual(new Map([['a', false]]));
});

test('new, changed and removed files differ, untouched ones do not', async () => {
  const { root, write, open } = place();
  for (const name of ['kept', 'changed', 'removed', 'deep/er/file ü']) write(name, 'before\n');
  const snapshot = open();
  await snapshot.rememberStart();
  expect(await snapshot.compare()).toBe('equal');
  write('changed', 'after!\n');
  write('new', 'x\n');
  write('deep/er/file ü', 'after!\n');
  rmSync(path.join(root, 'removed'));
  expect(await snapshot.compare()).toBe('differs');
  const asked = ['kept', 'changed', 'removed', 'new', 'deep', 'never', '../outside', '.'];
  expect(Object.fromEntries(await snapshot.differing(asked))).toEqual({
    kept: false, changed: true, removed: true, new: true, deep: true, never: false, '../outside': 'unknown', '.': true,
  });
  expect((await snapshot.diff())?.text).toContain('-before\n+after!\n');
  write('changed', 'before\n');
  rmSync(path.join(root, 'new'));
  write('removed', 'before\n');
  write('deep/er/file ü', 'before\n');
  expect(await snapshot.compare()).toBe('equal');
});

test('a change of the same length in the same instant is seen', async () => {
  const { root, write, open } = place();
  write('a', 'one');
  const snapshot = open();
  await snapshot.rememberStart();
  for (const text of ['two', 'six', 'ten']) {
    write('a', text);
    const when = new Date(1_700_000_000_000);
    utimesSync(path.join(root, 'a'), when, when);
    expect(await snapshot.compare()).toBe('differs');
  }
});

test('a later process finds the start of the turn, another turn has its own', async () => {
  const { write, open } = place();
  write('a', 'first');
  await open().rememberStart();
  write('a', 'second');
  const later = open();
  await later.rememberStart();
  expect(await later.compare()).toBe('differs');
  const other = open(OTHER);
  await other.rememberStart();
  expect(await other.compare()).toBe('equal');
});

test('a start that could not be taken stays unknown, also for a later process', async () => {
  const { root, dataDirectory, write, open } = place();
  write('a', 'first');
  const without = createSnapshot({ root, turnId: TURN, dataDirectory, gitProgram: '/nonexistent/git' });
  await without.rememberStart();
  expect(await without.compare()).toBe('unknown');
  const later = open();
  await later.rememberStart();
  expect(await later.compare()).toBe('unknown');
  expect(await later.diff()).toBeNull();
  expect(await later.differing(['a'])).toEqual(new Map([['a', 'unknown']]));
});

test('no time is no answer, not an error', async () => {
  const { root, dataDirectory, write } = place();
  write('a', 'x');
  const hurried = createSnapshot({ root, turnId: TURN, dataDirectory, timeoutMs: 0 });
  await hurried.rememberStart();
  expect(await hurried.compare()).toBe('unknown');
});

test('two processes may begin at once', async () => {
  const { write, open } = place();
  for (let i = 0; i < 50; i += 1) write(`f${i}`, String(i));
  const snapshots = Array.from({ length: 6 }, () => open());
  await Promise.all(snapshots.map((snapshot) => snapshot.rememberStart()));
  expect(await Promise.all(snapshots.map((snapshot) => snapshot.compare()))).toEqual(Array(6).fill('equal'));
});

test('an ignored file is unknown, one that is tracked all the same is compared', async () => {
  const { root, write, open } = place();
  execFileSync('git', ['init', '-q', root]);
  write('.gitignore', '*.log\nbuild/\n');
  write('tracked.log', 'x');
  write('other.log', 'x');
  write('build/out', 'x');
  execFileSync('git', ['-C', root, 'add', '-f', 'tracked.log']);
  const snapshot = open();
  await snapshot.rememberStart();
  write('tracked.log', 'y');
  write('other.log', 'y');
  expect(Object.fromEntries(await snapshot.differing(['tracked.log', 'other.log', 'build/out', 'build/gone']))).toEqual({
    'tracked.log': true, 'other.log': 'unknown', 'build/out': 'unknown', 'build/gone': 'unknown',
  });
});

test('the repository of the workspace is not touched and its own state does not count', async () => {
  const { root, write, open } = place();
  execFileSync('git', ['init', '-q', root]);
  write('a', 'x');
  const snapshot = open();
  await snapshot.rememberStart();
  execFileSync('git', ['-C', root, 'add', 'a']);
  expect(await snapshot.compare()).toBe('equal');
  expect(existsSync(path.join(root, '.git/refs/pilothouse'))).toBe(false);
});

test('changes inside embedded repositories are seen, with or without commits, and nested', async () => {
  const { root, write, open } = place();
  write('sub/file', 'x');
  write('sub/inner/file', 'x');
  write('plain', 'x');
  execFileSync('git', ['init', '-q', path.join(root, 'sub')]);
  execFileSync('git', ['init', '-q', path.join(root, 'sub/inner')]);
  const snapshot = open();
  await snapshot.rememberStart();
  expect(await snapshot.compare()).toBe('equal');
  write('sub/inner/file', 'y');
  expect(await snapshot.compare()).toBe('differs');
  expect(Object.fromEntries(await snapshot.differing(['sub/file', 'sub/inner/file', 'sub', 'plain']))).toEqual({
    'sub/file': false, 'sub/inner/file': true, sub: true, plain: false,
  });
  execFileSync('git', ['-C', path.join(root, 'sub/inner'), '-c', 'user.name=n', '-c', 'user.email=e@x', 'commit', '-q', '--allow-empty', '-m', 'x']);
  write('sub/inner/file', 'x');
  expect(await snapshot.compare()).toBe('equal');
});

test('attributes and filters of the workspace change nothing and run nothing', async () => {
  const { root, dataDirectory, write, open } = place();
  execFileSync('git', ['init', '-q', root]);
  const ran = path.join(dataDirectory, 'ran');
  execFileSync('git', ['-C', root, 'config', 'filter.evil.clean', `touch ${ran}; cat`]);
  execFileSync('git', ['-C', root, 'config', 'core.fsmonitor', `touch ${ran}`]);
  write('.gitattributes', '* text=auto eol=lf filter=evil\n');
  write('a.txt', 'line\n');
  const snapshot = open();
  await snapshot.rememberStart();
  write('a.txt', 'line\r\n');
  expect(await snapshot.compare()).toBe('differs');
  expect(existsSync(ran)).toBe(false);
});

test('a directory that becomes a link, and back, is followed nowhere', async () => {
  const { root, write, open } = place();
  write('dir/f', 'x');
  const outside = scratchDirectory();
  writeFileSync(path.join(outside, 'f'), 'secret');
  const snapshot = open();
  await snapshot.rememberStart();
  rmSync(path.join(root, 'dir'), { recursive: true });
  symlinkSync(outside, path.join(root, 'dir'));
  expect(await snapshot.compare()).toBe('differs');
  expect((await snapshot.diff())?.text).not.toContain('secret');
  rmSync(path.join(root, 'dir'));
  write('dir/f', 'x');
  expect(await snapshot.compare()).toBe('equal');
});

test('a file that becomes a directory, a FIFO beside it, and a change of mode', async () => {
  const { root, write, open } = place();
  write('a', 'x');
  write('script', '#!/bin/sh\n');
  const snapshot = open();
  await snapshot.rememberStart();
  rmSync(path.join(root, 'a'));
  write('a/b', 'x');
  execFileSync('mkfifo', [path.join(root, 'fifo')]);
  expect(await snapshot.compare()).toBe('differs');
  rmSync(path.join(root, 'a'), { recursive: true });
  write('a', 'x');
  expect(await snapshot.compare()).toBe('equal');
  chmodSync(path.join(root, 'script'), 0o755);
  expect(await snapshot.compare()).toBe('differs');
});

test('a diff is bounded and says so', async () => {
  const { root, write, open } = place();
  write('big', '');
  const snapshot = open();
  await snapshot.rememberStart();
  for (let i = 0; i < 40; i += 1) appendFileSync(path.join(root, 'big'), `${'é'.repeat(40)} ${i}\n`.repeat(500));
  const diff = await snapshot.diff();
  expect(diff?.truncated).toBe(true);
  expect(Buffer.byteLength(diff?.text ?? '')).toBeLessThanOrEqual(1024 * 1024);
  expect(diff?.text.endsWith('\n')).toBe(true);
  expect(diff?.text).not.toContain('\ufffd');
});

test('snapshots that lie inside the workspace are no part of its state, and no litter stays', async () => {
  const root = scratchDirectory();
  writeFileSync(path.join(root, 'a'), 'x');
  const snapshot = createSnapshot({ root, turnId: TURN, dataDirectory: path.join(root, '.data [1]') });
  await snapshot.rememberStart();
  expect(await snapshot.compare()).toBe('equal');
  expect(await snapshot.compare()).toBe('equal');
  const [repository = ''] = readdirSync(path.join(root, '.data [1]/snapshots'));
  expect(readdirSync(path.join(root, '.data [1]/snapshots', repository, 'pilothouse')).filter((name) => !/^cache-[0-9a-f]+$/.test(name))).toEqual([]);
});

test('a forgotten start is gone, those of other turns stay', async () => {
  const { root, dataDirectory, write, open } = place();
  write('a', 'first');
  await open().rememberStart();
  await open(OTHER).rememberStart();
  write('a', 'second');
  await forgetSnapshot({ root, turnId: TURN, dataDirectory });
  expect(await open().compare()).toBe('equal');
  expect(await open(OTHER).compare()).toBe('differs');
});
