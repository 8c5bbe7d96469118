/** Real signals to a real `exec`: what is cancelled says so, what is killed is found out by whoever comes next. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion, completionChunks, hang, sse } from '@/lib/testing/fake-openai-server';
import { completionOf, durable, eventsOf, killStarted, ofType } from './fixtures/pilothouse';
import { processesIn } from './fixtures/processes';
import { openStage, type Stage } from './fixtures/scene';
import { until } from './fixtures/until';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ PILOTHOUSE_LEASE_SECONDS: '3', PILOTHOUSE_CANCEL_GRACE_SECONDS: '1' });
});
afterAll(async () => {
  killStarted();
  await stage.close();
});

/** Says something, then nothing more. */
const midStream = () => ({ ...sse(completionChunks({ text: 'I begin to say' }).slice(0, 2)), then: 'hang' as const });
const runsCommand = (command: string) => completion({ calls: [{ name: 'run_command', arguments: { command } }] });

describe('a signal to exec', { timeout: 240_000, concurrent: true }, () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in mid-stream: cancelled, exit %i, session.completed is the last line', async (signal, code) => {
    const scene = await stage.scene();
    scene.model.push(midStream());
    const child = scene.start(['exec', '--json', 'x']);
    await child.seen(/"type":"model\.delta"/);
    child.kill(signal);
    const ended = await child.ended;
    expect(ended.code).toBe(code);
    expect(completionOf(ended)).toMatchObject({
      status: 'cancelled',
      exit_code: code,
      usage: { unknown_requests: 1 },
      terminal: { cancelled: { by: `signal:${signal}`, unknown_calls: [] } },
    });
    const types = eventsOf(ended).map((event) => event.type);
    expect(types.slice(types.indexOf('run.cancelling'))).not.toContain('model.delta');
    await scene.model.abandoned(1);
  });

  test('SIGINT while a command runs kills the command and everything it started', async () => {
    const scene = await stage.scene();
    scene.model.push(runsCommand('(sleep 300; echo late > late.txt) & echo "$$" > pid.txt; wait'));
    const child = scene.start(['exec', '--json', '--unsandboxed', 'x']);
    await child.seen(/"type":"tool\.started"/);
    await until('the command runs', () => existsSync(path.join(scene.workspace, 'pid.txt')));
    expect(processesIn(scene.workspace)).not.toEqual([]);
    child.kill('SIGINT');
    const ended = await child.ended;
    expect(ended.code).toBe(130);
    expect(completionOf(ended).status).toBe('cancelled');
    await until('nothing of the command is left', () => processesIn(scene.workspace).length === 0, 5);
  });

  test('a second signal ends the process at once', async () => {
    const scene = await stage.scene();
    scene.model.push(runsCommand("trap '' TERM INT; echo ready; while :; do sleep 0.1; done"));
    const child = scene.start(['exec', '--json', '--unsandboxed', 'x'], { PILOTHOUSE_CANCEL_GRACE_SECONDS: '30' });
    await child.seen(/"type":"tool\.output"/);
    child.kill('SIGINT');
    await child.seen(/"type":"run\.cancelling"/);
    const before = performance.now();
    child.kill('SIGINT');
    expect((await child.ended).code).toBe(130);
    expect(performance.now() - before).toBeLessThan(2_000);
    // The watcher outlives the process for as long as it takes to end the command.
    await until('nothing of the command is left', () => processesIn(scene.workspace).length === 0, 10);
  });

  test('cancel from another process ends a run in mid-stream', async () => {
    const scene = await stage.scene();
    scene.model.push(midStream());
    const child = scene.start(['exec', '--json', 'x']);
    const [, runId = ''] = await child.seen(/"run_id":"(run_\w+)".*"type":"model\.delta"/);
    const cancelled = await scene.run(['cancel', runId]);
    expect([cancelled.code, cancelled.stderr.trim()]).toEqual([0, `${runId} is cancelling`]);
    const ended = await child.ended;
    expect(ended.code).toBe(130);
    expect(completionOf(ended).terminal).toMatchObject({ cancelled: { by: 'local' } });
  });

  test('SIGKILL: the next verb that comes after the lease finds the run interrupted, and it never goes on by itself', async () => {
    const scene = await stage.scene();
    scene.model.push(hang());
    const child = scene.start(['exec', '--json', '--save-history', 'x']);
    const [, runId = ''] = await child.seen(/"run_id":"(run_\w+)".*"type":"model\.requested"/);
    await scene.model.received(1);
    child.kill('SIGKILL');
    expect((await child.ended).signal).toBe('SIGKILL');
    const show = async () => JSON.parse((await scene.run(['show', runId, '--json'])).stdout) as { status: string; exit_code?: number; terminal?: unknown; usage: unknown };
    await until('the run is interrupted', async () => (await show()).status === 'interrupted');
    const run = await show();
    expect(run).toMatchObject({ exit_code: 6, terminal: { interrupted: { unknown_calls: [] } }, usage: { unknown_requests: 1 } });
    expect(run.terminal).not.toHaveProperty('interrupted.continues_as');
    expect(await stage.query('SELECT 1 FROM run WHERE session_id = (SELECT session_id FROM run WHERE id = $1)', runId)).toHaveLength(1);
  });

  test('SIGKILL inside a command: its call is unknown, and its effect is not repeated', async () => {
    const scene = await stage.scene();
    scene.model.push(runsCommand('echo once >> ledger.txt; sleep 300'));
    const child = scene.start(['exec', '--json', '--unsandboxed', 'x']);
    const [, runId = ''] = await child.seen(/"run_id":"(run_\w+)".*"type":"tool\.started"/);
    await until('the command runs', () => existsSync(path.join(scene.workspace, 'ledger.txt')));
    const [started] = ofType(durable(eventsOf({ stdout: child.stdout().replace(/[^\n]*$/, '') })), 'tool.started');
    child.kill('SIGKILL');
    await child.ended;
    await until('nothing of the command is left', () => processesIn(scene.workspace).length === 0, 8);
    const show = async () => JSON.parse((await scene.run(['show', runId, '--json'])).stdout) as { status: string; terminal?: unknown };
    await until('the run is interrupted', async () => (await show()).status === 'interrupted');
    expect((await show()).terminal).toEqual({ interrupted: { unknown_calls: [started?.payload['call_id']] } });
    expect(readFileSync(path.join(scene.workspace, 'ledger.txt'), 'utf8')).toBe('once\n');
  });

  test('a run waits while another works in its directory, says so, and can be cancelled meanwhile', async () => {
    const scene = await stage.scene();
    scene.model.push(midStream());
    scene.model.always(completion({ text: 'My turn.' }));
    const first = scene.start(['exec', '--json', 'first']);
    await first.seen(/"type":"model\.delta"/);
    const [second, third] = [scene.start(['exec', '--json', 'second']), scene.start(['exec', '--json', 'third'])];
    await Promise.all([second.seen(/waiting: another run works/), third.seen(/waiting: another run works/)]);
    third.kill('SIGINT');
    const cancelled = await third.ended;
    expect(cancelled.code).toBe(130);
    expect(completionOf(cancelled).usage).toMatchObject({ total_tokens: 0, unknown_requests: 0 });
    first.kill('SIGINT');
    await first.ended;
    const ended = await second.ended;
    expect([ended.code, completionOf(ended).final_text]).toEqual([0, 'My turn.']);
    expect(scene.model.requests).toHaveLength(2);
  });
});
