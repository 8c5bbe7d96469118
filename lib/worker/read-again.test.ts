import { expect, test } from 'vitest';
import { StoreError, type StoreErrorCode } from '@/lib/store/store-error';
import { FakeClock } from '@/lib/testing/agent-scene';
import { readAgain } from './read-again';

const failure = (code: StoreErrorCode): StoreError => new StoreError(code, null, null, null);
const never = new AbortController().signal;

/** Fails so often, then answers. */
function reading(times: number, code: StoreErrorCode) {
  let asked = 0;
  return {
    asked: () => asked,
    read: async (): Promise<string> => {
      asked += 1;
      if (asked <= times) throw failure(code);
      return 'read';
    },
  };
}

test.each(['unavailable', 'timeout'] as const)('a reading that finds the database %s is asked again, ever more slowly', async (code) => {
  const clock = new FakeClock();
  const { read, asked } = reading(8, code);
  await expect(readAgain(clock, never, read)).resolves.toBe('read');
  expect(asked()).toBe(9);
  expect(clock.slept).toEqual([25, 50, 100, 200, 400, 800, 1_000, 1_000]);
});

test.each(['data', 'unexpected', 'storage_full', 'conflict'] as const)('a reading that the database refuses (%s) is not', async (code) => {
  const { read, asked } = reading(1, code);
  await expect(readAgain(new FakeClock(), never, read)).rejects.toMatchObject({ code });
  expect(asked()).toBe(1);
});

test('patience ends', async () => {
  const clock = new FakeClock();
  await expect(readAgain(clock, never, reading(1_000, 'unavailable').read)).rejects.toMatchObject({ code: 'unavailable' });
  expect(clock.now).toBeGreaterThanOrEqual(30_000);
  expect(clock.now).toBeLessThan(32_000);
});

test('nobody waits for a run whose lease is lost', async () => {
  const lost = new AbortController();
  const { read, asked } = reading(1_000, 'unavailable');
  const failing = readAgain(new FakeClock(), lost.signal, async () => {
    if (asked() === 2) lost.abort();
    return read();
  });
  await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked()).toBe(3);
});
