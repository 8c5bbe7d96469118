/** A lease ends by the database's word or by our own clock, whatever the heartbeat does. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '@/lib/domain/id';
import { LeaseKeeper, type HeldLease, type Renewed } from './lease-keeper';

const LEASE_MS = 15_000;
type Renew = (held: readonly HeldLease[]) => Promise<readonly Renewed[]>;

const renewsAll: Renew = async (held) => held.map(({ runId }) => ({ runId, version: 1 }));
const fails: Renew = async () => Promise.reject(new Error('no database'));
const hangs: Renew = () => new Promise(() => undefined);

interface Watched {
  readonly keeper: LeaseKeeper;
  readonly beats: number[];
  readonly asked: string[][];
  readonly lost: string[];
  readonly changed: string[];
  renew: Renew;
  hold(runId: string, version?: number): () => void;
}

let open: LeaseKeeper[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const keeper of open) keeper.stop();
  open = [];
  vi.useRealTimers();
});

function watched(renew: Renew): Watched {
  const of: Omit<Watched, 'keeper' | 'hold'> = { beats: [], asked: [], lost: [], changed: [], renew };
  const keeper = new LeaseKeeper({
    leaseMs: LEASE_MS,
    renew(held) {
      of.asked.push(held.map(({ runId }) => runId));
      return of.renew(held);
    },
    onBeat: (ms) => void of.beats.push(ms),
    monotonic: () => performance.now(),
  });
  open.push(keeper);
  return Object.assign(of, {
    keeper,
    hold: (runId: string, version = 1) =>
      keeper.hold({
        runId: runId as RunId,
        leaseEpoch: 1,
        version: () => version,
        onLost: () => void of.lost.push(runId),
        onChanged: () => void of.changed.push(runId),
      }),
  });
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('a lease', () => {
  test('is renewed every third of it, all runs in one statement, and is kept', async () => {
    const w = watched(renewsAll);
    w.hold('run_a');
    w.hold('run_b');
    await pass(4 * LEASE_MS);
    expect(w.asked).toHaveLength(12);
    expect(w.asked[0]).toEqual(['run_a', 'run_b']);
    expect(w.lost).toEqual([]);
  });

  test('that the database does not renew is lost at once, and no other', async () => {
    const w = watched(async (held) => held.slice(1).map(({ runId }) => ({ runId, version: 1 })));
    w.hold('run_a');
    w.hold('run_b');
    await pass(LEASE_MS / 3);
    expect(w.lost).toEqual(['run_a']);
    await pass(LEASE_MS / 3);
    expect(w.lost).toEqual(['run_a', 'run_b']);
  });

  test.each([
    ['fail', fails],
    ['hang', hangs],
  ])('whose heartbeats %s ends by our own clock at its length, not with a later heartbeat', async (_what, renew) => {
    const w = watched(renew);
    // Between two heartbeats, so that their rhythm is not the lease's.
    await pass(2_500);
    w.hold('run_a');
    await pass(LEASE_MS - 10);
    expect(w.lost).toEqual([]);
    await pass(20);
    expect(w.lost).toEqual(['run_a']);
  });

  test('counts from the sending of its last renewal, not from the answer', async () => {
    const w = watched(renewsAll);
    w.hold('run_a');
    w.renew = async (held) => {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return renewsAll(held);
    };
    await pass(LEASE_MS / 3); // sent at 5 s
    w.renew = fails;
    await pass(4_000); // answered at 9 s
    expect(w.beats.at(-1)).toBe(LEASE_MS - 4_000);
    await pass(LEASE_MS - 4_000 - 10); // until 10 ms before the end of a lease that began at 5 s
    expect(w.lost).toEqual([]);
    await pass(20);
    expect(w.lost).toEqual(['run_a']);
  });

  test('survives one heartbeat that hangs, where the next gets through', async () => {
    const w = watched(hangs);
    w.hold('run_a');
    await pass(LEASE_MS / 3);
    w.renew = renewsAll;
    await pass(3 * LEASE_MS);
    expect(w.lost).toEqual([]);
  });

  test('that hangs for ever is asked for on two connections at most', async () => {
    const w = watched(hangs);
    w.hold('run_a');
    await pass(LEASE_MS - 10);
    expect(w.asked).toHaveLength(2);
  });

  test('taken while an older one is failing has its own end', async () => {
    const w = watched(fails);
    w.hold('run_old');
    await pass(10_000);
    w.hold('run_new');
    await pass(5_010);
    expect(w.lost).toEqual(['run_old']);
    await pass(9_980);
    expect(w.lost).toEqual(['run_old']);
    await pass(20);
    expect(w.lost).toEqual(['run_old', 'run_new']);
  });

  test('that was let go is neither renewed nor lost', async () => {
    const w = watched(fails);
    w.hold('run_a')();
    await pass(2 * LEASE_MS);
    expect(w.asked).toEqual([]);
    expect(w.lost).toEqual([]);
  });

  test('let go while its heartbeat was under way is not lost by the answer', async () => {
    let answer: (renewed: readonly Renewed[]) => void = () => undefined;
    const w = watched(() => new Promise((resolve) => (answer = resolve)));
    const letGo = w.hold('run_a');
    await pass(LEASE_MS / 3);
    letGo();
    answer([]);
    await pass(1);
    expect(w.lost).toEqual([]);
  });
});

describe("somebody else's change", () => {
  test('is told once, when the renewed version is above the one in memory', async () => {
    const w = watched(async (held) => held.map(({ runId }) => ({ runId, version: 2 })));
    let version = 1;
    const changes: number[] = [];
    w.keeper.hold({ runId: 'run_a', leaseEpoch: 1, version: () => version, onLost: () => undefined, onChanged: () => void changes.push((version = 2)) });
    w.hold('run_b', 2);
    await pass(LEASE_MS);
    expect(changes).toEqual([2]);
    expect(w.changed).toEqual([]);
  });
});

test('the watcher is told of a beat when the first lease is taken and with each success, never with a failure', async () => {
  const w = watched(renewsAll);
  w.hold('run_a');
  await pass(LEASE_MS / 3);
  expect(w.beats).toEqual([LEASE_MS, LEASE_MS]);
  w.renew = fails;
  await pass(LEASE_MS / 3);
  expect(w.beats).toHaveLength(2);
});

test('no timer keeps the process alive', () => {
  vi.useRealTimers();
  const keeper = new LeaseKeeper({ leaseMs: LEASE_MS, renew: renewsAll, onBeat: () => undefined, monotonic: () => performance.now() });
  keeper.hold({ runId: 'run_a', leaseEpoch: 1, version: () => 1, onLost: () => undefined, onChanged: () => undefined });
  const active = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
  keeper.stop();
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')).toEqual(active);
});
