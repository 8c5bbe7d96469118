import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SandboxMode } from '@/lib/agent/ports';
import { findPackageRoot } from '@/lib/config/package-root';
import { detectSandbox } from '../command/detect-sandbox';
import { scratchDirectory } from '../testing/scratch-directory';

const packageRoot = findPackageRoot(import.meta.url);
const program = path.join(packageRoot, 'lib/tools/watcher/watcher.mjs');
const detected = await detectSandbox({ unsandboxed: true });
const modes: SandboxMode[] = detected === 'bubblewrap' ? ['bubblewrap', 'unsandboxed'] : ['unsandboxed'];
if (detected !== 'bubblewrap') console.warn('skipped: the watcher with sandboxed commands, since bubblewrap does not work here');

let worker = '';
beforeAll(async () => {
  const bundled = await build({
    entryPoints: [path.join(packageRoot, 'lib/tools/testing/worker-like.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
    alias: { '@': packageRoot },
  });
  worker = bundled.outputFiles[0]?.text ?? '';
});

interface Started {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly says: (text: string) => Promise<void>;
}

function startWorker(args: readonly string[]): Started {
  const child = spawn(process.execPath, ['--input-type=module', '-', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // What a killed worker cannot remove any more goes with the test.
    env: { ...process.env, TMPDIR: scratchDirectory() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stdin.end(worker);
  return {
    process: child,
    output: () => text,
    says: async (wanted) => {
      for (let waited = 0; !text.includes(wanted); waited += 20) {
        if (waited > 8_000) throw new Error(`the worker did not say ${wanted}: ${text}`);
        await sleep(20);
      }
    },
  };
}

/** A command that appends to a file for ever and cannot be ended politely. */
const ticking = (file: string): string => `trap "" TERM HUP INT; echo up; while :; do echo tick >> ${file}; sleep 0.05; done`;

async function hasStopped(file: string): Promise<boolean> {
  const before = readFileSync(file, 'utf8').length;
  await sleep(400);
  return readFileSync(file, 'utf8').length === before;
}

describe.each(modes)('the watcher, %s', (mode) => {
  test('a command dies with its worker, even if that is killed without a word', async () => {
    const root = scratchDirectory();
    const file = path.join(root, 'ticks');
    const started = startWorker([mode, root, program, '0', ticking(file)]);
    await started.says('up');
    expect(await hasStopped(file)).toBe(false);
    started.process.kill('SIGKILL');
    await sleep(300);
    expect(await hasStopped(file)).toBe(true);
  });

  test('a command dies when its worker is stopped and its lease runs out', async () => {
    const root = scratchDirectory();
    const file = path.join(root, 'ticks');
    const started = startWorker([mode, root, program, '600', ticking(file)]);
    await started.says('up');
    await sleep(900);
    expect(await hasStopped(file)).toBe(false);
    started.process.kill('SIGSTOP');
    await sleep(1_000);
    expect(await hasStopped(file)).toBe(true);
    // What the worker then finds out, when it goes on.
    started.process.kill('SIGCONT');
    await started.says('outcome');
    expect(started.output()).toContain('"code":"lease_expired"');
  });

  test('a command goes on when only the watcher is killed, and is watched again', async () => {
    const root = scratchDirectory();
    const file = path.join(root, 'ticks');
    const started = startWorker([mode, root, program, '0', ticking(file)]);
    await started.says('up');
    const pid = childrenOf(started.process.pid ?? 0).find((child) => child.commandLine.includes('watcher.mjs'))?.pid;
    expect(pid).toBeDefined();
    process.kill(pid ?? 0, 'SIGKILL');
    await sleep(400);
    expect(await hasStopped(file)).toBe(false);
    started.process.kill('SIGKILL');
    await sleep(400);
    expect(await hasStopped(file)).toBe(true);
  });
});

test('a process that left the session of an unsandboxed command dies with the worker too', async () => {
  const root = scratchDirectory();
  const file = path.join(root, 'ticks');
  const started = startWorker(['unsandboxed', root, program, '0', `setsid bash -c '${ticking(file)}' & sleep 30`]);
  await started.says('up');
  started.process.kill('SIGKILL');
  await sleep(400);
  expect(await hasStopped(file)).toBe(true);
});

test('the watcher ends with its worker', async () => {
  const root = scratchDirectory();
  const started = startWorker(['unsandboxed', root, program, '0', 'echo up; sleep 30']);
  await started.says('up');
  const watcher = childrenOf(started.process.pid ?? 0).find((child) => child.commandLine.includes('watcher.mjs'))?.pid ?? 0;
  started.process.kill('SIGKILL');
  await sleep(500);
  expect(existsSync(`/proc/${watcher}/fd/0`)).toBe(false);
});

function childrenOf(parent: number): { pid: number; commandLine: string }[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '')
    .map((pid) => ({ pid: Number(pid), commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }));
}
