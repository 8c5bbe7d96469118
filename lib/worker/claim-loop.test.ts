/** Claims as many as there is room for, hears every ring, and lets go of everything at its end. */
import { describe, expect, test } from 'vitest';
import type { RunId } from '@/lib/domain/id';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import type { Listener, Wake } from '@/lib/store/listen';
import { claimLoop, type ClaimLoopParts } from './claim-loop';
import type { Drive } from './drive-run';

interface FakeDrive extends Drive {
  readonly nudges: () => number;
  end(): void;
}

/** The loop looks at nothing but the id. */
const claimed = (runId: string): ClaimedRun => ({ runId: runId as RunId }) as ClaimedRun;

function scene(slots: number, claim?: ClaimLoopParts['claim']) {
  const queued: string[] = [];
  const asked: number[] = [];
  const drives = new Map<string, FakeDrive>();
  const released: string[] = [];
  const errors: unknown[] = [];
  const stop = new AbortController();
  let wake: Wake = () => undefined;
  let subscriptions = 0;
  const listener = {
    onWork(heard: Wake) {
      wake = heard;
      subscriptions += 1;
      return () => {
        subscriptions -= 1;
      };
    },
  } as Partial<Listener> as Listener;
  const parts: ClaimLoopParts = {
    slots,
    // Never within a test: what goes on goes on because of a ring.
    pollMs: 1_000_000,
    claim:
      claim ??
      (async (limit) => {
        asked.push(limit);
        return queued.splice(0, limit).map(claimed);
      }),
    drive({ runId }) {
      let end = (): void => undefined;
      let nudges = 0;
      const done = new Promise<void>((resolve) => (end = resolve));
      const drive: FakeDrive = {
        done,
        nudges: () => nudges,
        nudge: () => void (nudges += 1),
        release() {
          released.push(runId);
          end();
        },
        end: () => end(),
      };
      drives.set(runId, drive);
      return drive;
    },
    listener,
    onError: (error) => void errors.push(error),
  };
  const ended = claimLoop(parts, stop.signal);
  return { queued, asked, drives, released, errors, ended, stop, wake: (runId: string | null) => wake(runId), subscriptions: () => subscriptions };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the claim loop', () => {
  test('never drives more than its slots, and takes the next when one ends', async () => {
    const { queued, drives, asked, wake, stop, ended } = scene(2);
    queued.push('run_a', 'run_b', 'run_c');
    wake('run_a');
    await settle();
    expect([...drives.keys()]).toEqual(['run_a', 'run_b']);
    wake('run_c');
    await settle();
    expect(drives.size).toBe(2);
    expect(asked.every((limit) => limit > 0 && limit <= 2)).toBe(true);
    drives.get('run_a')?.end();
    await settle();
    expect([...drives.keys()]).toEqual(['run_a', 'run_b', 'run_c']);
    stop.abort();
    await ended;
  });

  test('does not lose a ring that came while it was claiming', async () => {
    let answer: (runs: readonly ClaimedRun[]) => void = () => undefined;
    let claims = 0;
    const { wake, stop, ended } = scene(2, () => {
      claims += 1;
      return claims === 1 ? new Promise((resolve) => (answer = resolve)) : Promise.resolve([]);
    });
    await settle();
    wake('run_new');
    answer([]);
    await settle();
    expect(claims).toBe(2);
    await settle();
    expect(claims).toBe(2); // and it does not go on asking by itself
    stop.abort();
    await ended;
  });

  test('nudges the drive that is named, all of them when anything may have changed, and rings for strangers', async () => {
    const { queued, drives, asked, wake, stop, ended } = scene(3);
    queued.push('run_a', 'run_b');
    wake(null);
    await settle();
    const before = asked.length;
    wake('run_a');
    await settle();
    expect([...drives.values()].map(({ nudges }) => nudges())).toEqual([1, 0]);
    expect(asked).toHaveLength(before);
    wake(null);
    await settle();
    expect([...drives.values()].map(({ nudges }) => nudges())).toEqual([2, 1]);
    expect(asked.length).toBeGreaterThan(before);
    stop.abort();
    await ended;
  });

  test('goes on after a claim that failed', async () => {
    let claims = 0;
    const { wake, errors, drives, stop, ended } = scene(1, async () => {
      claims += 1;
      if (claims === 1) throw new Error('no database');
      return claims === 2 ? [claimed('run_a')] : [];
    });
    await settle();
    expect(errors).toHaveLength(1);
    wake('run_a');
    await settle();
    expect([...drives.keys()]).toEqual(['run_a']);
    stop.abort();
    await ended;
  });

  test('releases everything when it is told to stop, and ends when all have let go', async () => {
    const { queued, released, wake, stop, ended, subscriptions } = scene(3);
    queued.push('run_a', 'run_b');
    wake(null);
    await settle();
    expect(subscriptions()).toBe(1);
    stop.abort();
    await ended;
    expect(released.sort()).toEqual(['run_a', 'run_b']);
    expect(subscriptions()).toBe(0);
  });

  test('releases what a claim brings that was under way when it was told to stop', async () => {
    let answer: (runs: readonly ClaimedRun[]) => void = () => undefined;
    const { released, stop, ended } = scene(2, () => new Promise((resolve) => (answer = resolve)));
    await settle();
    stop.abort();
    answer([claimed('run_late')]);
    await ended;
    expect(released).toEqual(['run_late']);
  });
});
