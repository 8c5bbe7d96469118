import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneRepository } from './clone-repository';

const home = mkdtempSync(path.join(tmpdir(), 'clone-'));
const source = path.join(home, 'sources', 'repository');
const clones = path.join(home, 'clones');
const signal = new AbortController().signal;
const git = (...args: string[]): string => execFileSync('git', ['-C', source, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { encoding: 'utf8' });
const clone = (name: string, more: Partial<Parameters<typeof cloneRepository>[0]> = {}) =>
  cloneRepository({ repository: source, ref: null, directory: path.join(clones, name), localRoots: [path.join(home, 'sources')], signal, ...more });

beforeAll(() => {
  mkdirSync(source, { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(source, 'file.txt'), 'first');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('tag', 'v1');
  git('checkout', '-q', '-b', 'side');
  writeFileSync(path.join(source, 'file.txt'), 'side');
  git('commit', '-q', '-a', '-m', 'side');
  git('checkout', '-q', 'main');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('a clone has the files, and nothing else lies beside it', async () => {
  expect(await clone('one')).toEqual({ ok: true });
  expect(readFileSync(path.join(clones, 'one', 'file.txt'), 'utf8')).toBe('first');
  expect(readdirSync(clones)).toEqual(['one']);
});

test.each([
  ['side', 'side'],
  ['v1', 'first'],
])('it stands at %s', async (ref, content) => {
  expect(await clone(`at-${ref}`, { ref })).toEqual({ ok: true });
  expect(readFileSync(path.join(clones, `at-${ref}`, 'file.txt'), 'utf8')).toBe(content);
});

test('a clone that is there stays as it is', async () => {
  writeFileSync(path.join(clones, 'one', 'file.txt'), 'worked on');
  expect(await clone('one')).toEqual({ ok: true });
  expect(readFileSync(path.join(clones, 'one', 'file.txt'), 'utf8')).toBe('worked on');
});

test('it shares no file with its source, and runs no hook', async () => {
  const hook = path.join(source, '.git', 'hooks', 'post-checkout');
  mkdirSync(path.dirname(hook), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ntouch ${home}/hooked\n`);
  chmodSync(hook, 0o755);
  expect(await clone('apart')).toEqual({ ok: true });
  expect(existsSync(path.join(home, 'hooked'))).toBe(false);
  const objects = execFileSync('find', [path.join(clones, 'apart', '.git'), '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  expect(objects.every((file) => statSync(file).nlink === 1)).toBe(true);
});

test('what is not there, or not a place to clone from, is said and leaves nothing behind', async () => {
  expect(await clone('none', { ref: 'no-such-branch' })).toMatchObject({ ok: false, reason: 'failed', message: expect.stringContaining('no-such-branch') as string });
  expect(await clone('none', { repository: path.join(home, 'sources') })).toMatchObject({ ok: false, reason: 'failed' });
  expect(await clone('none', { repository: '/etc' })).toMatchObject({ ok: false, reason: 'refused' });
  expect(await clone('none', { repository: 'ssh://git@example.org/x' })).toMatchObject({ ok: false, reason: 'refused' });
  expect(await clone('none', { repository: 'ext::sh -c id' })).toMatchObject({ ok: false, reason: 'refused' });
  expect(readdirSync(clones).filter((name) => name.startsWith('none'))).toEqual([]);
});

test('a server that asks for a password, or never answers, does not hold it up', async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/silent') === true) return;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await clone('asked', { repository: `${address}/private` })).toMatchObject({ ok: false, reason: 'failed' });
    expect(await clone('silent', { repository: `${address}/silent`, timeoutMs: 500 })).toMatchObject({ ok: false, reason: 'timed_out' });
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 300);
    expect(await clone('silent', { repository: `${address}/silent`, signal: stopping.signal })).toMatchObject({ ok: false, reason: 'stopped' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
