// Longer than other files: every rule here holds with and without the sandbox, and is told once for both.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SandboxMode } from '@/lib/agent/ports';
import { scratchDirectory } from '../testing/scratch-directory';
import { createCommandRunner } from './create-command-runner';
import type { CommandRequest, CommandRunner } from './create-command-runner';
import { detectSandbox } from './detect-sandbox';

const detected = await detectSandbox({ unsandboxed: true });
const modes: SandboxMode[] = detected === 'bubblewrap' ? ['bubblewrap', 'unsandboxed'] : ['unsandboxed'];
if (detected !== 'bubblewrap') console.warn('skipped: everything about the sandbox, since bubblewrap does not work here');

function request(root: string, command: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return {
    command,
    workspace: { root, access: 'read_write' },
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    network: false,
    ...more,
  };
}

/** The processes whose command line holds `text`. */
function processesWith(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,stat,args', '-ww'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line) && !line.includes('ps -eo'));
}

describe.each(modes)('a command, %s', (sandbox) => {
  let runner: CommandRunner;
  beforeAll(() => {
    runner = createCommandRunner({ sandbox, watcher: { leaseMs: null }, cancelGraceMs: 400 });
  });
  afterAll(() => runner.close());

  test('runs in the workspace, and its exit code is a result', async () => {
    const root = scratchDirectory();
    const outcome = await runner.run(request(root, 'pwd; echo err >&2; echo hi > made.txt; exit 7'));
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 7, stdout: `${root}\n`, stderr: 'err\n', truncated: false });
    expect(readFileSync(path.join(root, 'made.txt'), 'utf8')).toBe('hi\n');
  });

  test('a death by a signal of its own is an exit code as shells have it', async () => {
    expect(await runner.run(request(scratchDirectory(), 'kill -SEGV $$'))).toMatchObject({ kind: 'exited', exitCode: 139 });
  });

  test('sees none of the variables of the server', async () => {
    process.env['SERVER_ONLY_SECRET'] = 'do-not-show';
    onTestFinished(() => {
      delete process.env['SERVER_ONLY_SECRET'];
    });
    const outcome = await runner.run(request(scratchDirectory(), 'env; cat /proc/self/environ /proc/1/environ 2>/dev/null | tr "\\0" "\\n"'));
    const own = outcome.stdout;
    if (sandbox === 'bubblewrap') expect(own).not.toContain('do-not-show');
    const names = own.split('\n').slice(0, 12).map((line) => line.split('=')[0]);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LANG', 'TERM', 'CI']));
    const allowed = ['PATH', 'HOME', 'LANG', 'TERM', 'CI', 'PWD', 'OLDPWD', 'SHLVL', '_', ...(sandbox === 'unsandboxed' ? ['PILOTHOUSE_COMMAND'] : [])];
    const environment = (await runner.run(request(scratchDirectory(), 'env'))).stdout.trim().split('\n');
    expect(environment.map((line) => line.split('=')[0]).filter((name) => !allowed.includes(name ?? ''))).toEqual([]);
  });

  test('finds node and npm', async () => {
    const outcome = await runner.run(request(scratchDirectory(), 'node -p 1+1 && npm --version'));
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(outcome.stdout).toMatch(/^2\n\d+\./);
  });

  test('its input is at its end', async () => {
    expect(await runner.run(request(scratchDirectory(), 'cat; echo done'))).toMatchObject({ kind: 'exited', stdout: 'done\n' });
  });

  test('a character that arrives in two pieces is one character', async () => {
    const pieces: string[] = [];
    const outcome = await runner.run(
      request(scratchDirectory(), "printf '\\xe2\\x82'; sleep 0.2; printf '\\xac!'", { onOutput: (_stream, text) => pieces.push(text) }),
    );
    expect(outcome.stdout).toBe('€!');
    expect(pieces.join('')).toBe('€!');
  });

  test('100 MB of output are kept in 64 KiB, with both ends and the number of bytes between', async () => {
    const before = process.memoryUsage().rss;
    const outcome = await runner.run(request(scratchDirectory(), 'echo first; head -c 104857600 /dev/zero | tr "\\0" "é"; echo; echo last', { timeoutMs: 60_000 }));
    expect(outcome.kind).toBe('exited');
    expect(Buffer.byteLength(outcome.output)).toBeLessThanOrEqual(64 * 1024);
    expect(outcome.truncated).toBe(true);
    expect(outcome.output.startsWith('first\n')).toBe(true);
    expect(outcome.output.endsWith('\nlast\n')).toBe(true);
    expect(outcome.output).toMatch(/\n\[… \d+ bytes omitted …\]\n/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  }, 90_000);

  test('one that runs too long is stopped, and what it said until then is kept', async () => {
    const outcome = await runner.run(request(scratchDirectory(), 'echo started; sleep 30', { timeoutMs: 300 }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'timed_out', output: 'started\n' });
  });

  test('one that ends in the grace time after an abort is aborted, not completed', async () => {
    const root = scratchDirectory();
    const abort = new AbortController();
    const running = runner.run(
      request(root, 'trap "echo bye; echo cleaned > cleaned; exit 0" TERM; echo ready; while :; do sleep 0.05; done', {
        signal: abort.signal,
        onOutput: (_stream, text) => {
          if (text.includes('ready')) abort.abort();
        },
      }),
    );
    // On stderr bash may tell of the sleep that the same signal ended.
    expect(await running).toMatchObject({ kind: 'failed', code: 'aborted', stdout: 'ready\nbye\n' });
    expect(existsSync(path.join(root, 'cleaned'))).toBe(true);
  });

  test('a grandchild that ignores TERM writes nothing late', async () => {
    const root = scratchDirectory();
    const abort = new AbortController();
    const running = runner.run(
      request(root, `(trap "" TERM; echo up; sleep 1.2; echo late > ${root}/late.txt) & wait`, {
        signal: abort.signal,
        onOutput: () => abort.abort(),
      }),
    );
    expect(await running).toMatchObject({ kind: 'failed', code: 'aborted' });
    await sleep(1_500);
    expect(existsSync(path.join(root, 'late.txt'))).toBe(false);
  });

  test('a background process that holds the output does not hold the call, and ends with it', async () => {
    const root = scratchDirectory();
    const startedAt = performance.now();
    const outcome = await runner.run(request(root, '(sleep 2; echo late > late.txt) & echo done'));
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'done\n' });
    await sleep(2_200);
    expect(existsSync(path.join(root, 'late.txt'))).toBe(false);
  });

  test('one that leaves the session and forks twice ends with the call as well', async () => {
    const root = scratchDirectory();
    const outcome = await runner.run(request(root, 'setsid sh -c "(sleep 1.3; echo late > late.txt) >/dev/null 2>&1 &" ; echo done'));
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    await sleep(1_600);
    expect(existsSync(path.join(root, 'late.txt'))).toBe(false);
  });

  test('an abort before the start starts nothing', async () => {
    const root = scratchDirectory();
    const outcome = await runner.run(request(root, 'echo x > x', { signal: AbortSignal.abort() }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'aborted' });
    expect(existsSync(path.join(root, 'x'))).toBe(false);
  });

  test('what ended by itself just before the abort is completed', async () => {
    const abort = new AbortController();
    const running = runner.run(
      request(scratchDirectory(), 'echo x; exit 3', {
        signal: abort.signal,
        onOutput: () => {
          // The exit is certain by then, its news is not yet here.
          const until = performance.now() + 150;
          while (performance.now() < until);
          abort.abort();
        },
      }),
    );
    expect(await running).toMatchObject({ kind: 'exited', exitCode: 3 });
  });

  test('twenty at once all have their own outcome', async () => {
    const root = scratchDirectory();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => runner.run(request(root, `echo ${i}; exit ${i}`))));
    expect(outcomes.map((outcome) => (outcome.kind === 'exited' ? [outcome.exitCode, outcome.stdout] : outcome))).toEqual(
      Array.from({ length: 20 }, (_, i) => [i, `${i}\n`]),
    );
  });

  test('closing kills what runs at once and leaves no process', async () => {
    const own = createCommandRunner({ sandbox, watcher: { leaseMs: null } });
    const mark = `31.${Math.floor(Math.random() * 1e9)}`;
    let isUp: () => void = () => undefined;
    const up = new Promise<void>((resolve) => {
      isUp = resolve;
    });
    const running = own.run(request(scratchDirectory(), `trap "" TERM; echo up; sleep ${mark}`, { onOutput: () => isUp() }));
    await up;
    const startedAt = performance.now();
    await own.close();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await running).toMatchObject({ kind: 'failed', code: 'aborted' });
    expect(processesWith(mark)).toEqual([]);
    expect(await own.run(request(scratchDirectory(), 'true'))).toMatchObject({ kind: 'failed', code: 'aborted' });
  });

  test('without a beat within the lease the watcher kills it', async () => {
    const own = createCommandRunner({ sandbox, watcher: { leaseMs: 500 } });
    onTestFinished(() => own.close());
    const outcome = await own.run(request(scratchDirectory(), 'echo up; sleep 20'));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'lease_expired' });
    expect(await own.run(request(scratchDirectory(), 'true'))).toMatchObject({ kind: 'failed', code: 'lease_expired' });
    own.beat(5_000);
    expect(await own.run(request(scratchDirectory(), 'true'))).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  test('with beats it outlives the first lease', async () => {
    const own = createCommandRunner({ sandbox, watcher: { leaseMs: 500 } });
    onTestFinished(() => own.close());
    const beats = setInterval(() => own.beat(500), 100);
    onTestFinished(() => clearInterval(beats));
    expect(await own.run(request(scratchDirectory(), 'sleep 1.2'))).toMatchObject({ kind: 'exited', exitCode: 0 });
  });
});

describe('without a sandbox', () => {
  test('a read-only workspace refuses every command', async () => {
    const runner = createCommandRunner({ sandbox: 'unsandboxed', watcher: { leaseMs: null } });
    onTestFinished(() => runner.close());
    const root = scratchDirectory();
    const outcome = await runner.run(request(root, 'echo x', { workspace: { root, access: 'read_only' } }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'read_only_unsandboxed' });
  });
});

describe.skipIf(detected !== 'bubblewrap')('in the sandbox', () => {
  let runner: CommandRunner;
  beforeAll(() => {
    runner = createCommandRunner({ sandbox: 'bubblewrap', watcher: { leaseMs: null } });
  });
  afterAll(() => runner.close());

  test('nothing outside the workspace is there to read or write', async () => {
    const outside = scratchDirectory('pilothouse-outside-');
    writeFileSync(path.join(outside, 'secret'), 'secret');
    const outcome = await runner.run(
      request(scratchDirectory(), `cat ${outside}/secret; echo x > ${outside}/new; echo x > /usr/new; ls -A /root /home 2>/dev/null; true`),
    );
    expect(outcome.stdout).toBe('');
    expect(existsSync(path.join(outside, 'new'))).toBe(false);
    expect(existsSync('/usr/new')).toBe(false);
  });

  test('there is no network unless it is allowed', async () => {
    const { createServer } = await import('node:net');
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    expect(await runner.run(request(scratchDirectory(), command))).toMatchObject({ kind: 'exited', exitCode: 1, stdout: '' });
    expect(await runner.run(request(scratchDirectory(), command, { network: true }))).toMatchObject({ exitCode: 0, stdout: 'hello' });
  });

  test('a read-only workspace can be read and not written', async () => {
    const root = scratchDirectory();
    writeFileSync(path.join(root, 'a'), 'content');
    const outcome = await runner.run(
      request(root, 'cat a; echo x > a; echo x > b; rm -f a; chmod 777 a; mount -o remount,rw . ; true', { workspace: { root, access: 'read_only' } }),
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'content' });
    expect(readFileSync(path.join(root, 'a'), 'utf8')).toBe('content');
    expect(existsSync(path.join(root, 'b'))).toBe(false);
  });

  test('a workspace below a directory of mode 0700 works', async () => {
    const root = path.join(scratchDirectory(), 'closed', 'workspace');
    mkdirSync(root, { recursive: true });
    execFileSync('chmod', ['700', path.dirname(root)]);
    expect(await runner.run(request(root, 'echo x > x; cat x'))).toMatchObject({ exitCode: 0, stdout: 'x\n' });
    expect(statSync(path.join(root, 'x')).size).toBe(2);
  });

  test('no hook and no config can be planted in the repository, and commits work', async () => {
    const root = scratchDirectory();
    execFileSync('git', ['init', '-q', root]);
    const config = readFileSync(path.join(root, '.git/config'), 'utf8');
    const outcome = await runner.run(
      request(
        root,
        [
          'echo x > .git/hooks/pre-commit',
          'echo x >> .git/config',
          'mv .git elsewhere',
          'mv .git/hooks .git/other',
          'rm -rf .git/hooks',
          'mkdir -p evil && echo ../evil > .git/commondir',
          'rm -f .git/commondir; echo a > a; git add a; git -c user.name=n -c user.email=e@x commit -qm first && git log --oneline | wc -l',
          'echo ../evil > .git/commondir',
          'true',
        ].join('\n'),
      ),
    );
    expect(outcome.stdout.trim()).toBe('1');
    expect(readFileSync(path.join(root, '.git/config'), 'utf8')).toBe(config);
    expect(existsSync(path.join(root, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(path.join(root, '.git/commondir'))).toBe(false);
    expect(existsSync(path.join(root, 'elsewhere'))).toBe(false);
  });

  test('a directory of the installation inside the workspace is empty', async () => {
    const root = scratchDirectory();
    const hidden = path.join(root, '.pilothouse');
    mkdirSync(hidden);
    writeFileSync(path.join(hidden, 'key'), 'secret');
    const own = createCommandRunner({ sandbox: 'bubblewrap', watcher: { leaseMs: null }, hiddenDirectories: [hidden] });
    onTestFinished(() => own.close());
    expect(await own.run(request(root, 'ls -A .pilothouse; cat .pilothouse/key; true'))).toMatchObject({ stdout: '' });
    expect(readFileSync(path.join(hidden, 'key'), 'utf8')).toBe('secret');
  });

  test('no capability is left', async () => {
    const outcome = await runner.run(request(scratchDirectory(), 'grep CapEff /proc/self/status; ls /proc | grep -c "^[0-9]"'));
    expect(outcome.stdout).toContain('0000000000000000');
  });

  test('a sandbox that cannot be set up is not an exit code of the command', async () => {
    const root = scratchDirectory();
    const file = path.join(root, 'file');
    writeFileSync(file, '');
    // A mount on a file where bubblewrap wants a directory.
    const own = createCommandRunner({ sandbox: 'bubblewrap', watcher: { leaseMs: null }, hiddenDirectories: [file] });
    onTestFinished(() => own.close());
    expect(await own.run(request(root, 'true'))).toMatchObject({ kind: 'failed', code: 'sandbox_failed' });
  });
});

test('many orphans at once: nothing is left of a command that forks while it is killed', async () => {
  const runner = createCommandRunner({ sandbox: 'unsandboxed', watcher: { leaseMs: null }, cancelGraceMs: 100 });
  onTestFinished(() => runner.close());
  const mark = `33.${Math.floor(Math.random() * 1e9)}`;
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 400);
  await runner.run(request(scratchDirectory(), `trap "" TERM; while :; do (setsid sleep ${mark} &) ; sleep 0.01; done`, { signal: abort.signal }));
  expect(processesWith(mark)).toEqual([]);
});

