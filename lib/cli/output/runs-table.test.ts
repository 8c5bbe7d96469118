import { expect, test } from 'vitest';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { runsTable } from './runs-table';

test('one line a run, columns aligned, the task cut to what is left', () => {
  const usage = { ...NO_OTHERS.usage, total_tokens: 12_345 };
  const lines = runsTable(
    [
      { id: 'run_1', status: 'succeeded', task: 'Fix\nthe \u001B[31mtest', created_at: '2030-01-01T00:00:00.000Z', usage },
      { id: 'run_22', status: 'verification_failed', task: 'x'.repeat(200), created_at: '2029-12-31T23:59:30.000Z', usage: { ...usage, total_tokens: 7, unknown_requests: 1 } },
    ],
    new Date('2030-01-01T00:01:00.000Z'),
    80,
  ).map(({ text }) => text);
  expect(lines).toEqual([
    'RUN     STATUS                   AGE  TOKENS  TASK',
    'run_1   ✓ succeeded            1 min  12,345  Fix the test',
    `run_22  ✗ verification failed  1 min      7+  ${'x'.repeat(33)}…`,
  ]);
});
