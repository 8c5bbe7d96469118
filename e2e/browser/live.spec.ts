import { execFileSync } from 'node:child_process';
import { expect, shownEvents, test, type Runs } from './test';

const sentence = 'Every word of this arrives on its own, and none of them may be lost or shown twice. '.repeat(3);
const slow = [
  { text: sentence, tool_calls: [{ name: 'run_command', arguments: { command: 'for i in 1 2 3 4 5 6; do echo line $i; sleep 1; done' } }], delay_ms: 10_000 },
  { text: 'Six lines were counted.', delay_ms: 8_000 },
];

const stored = async (runs: Runs, runId: string): Promise<number[]> => {
  const page = (await (await runs.api(`/runs/${runId}/events?limit=1000`)).json()) as { readonly items: readonly { readonly seq: number }[] };
  return page.items.map((event) => event.seq);
};

test('text and output stream, a reload in the middle loses nothing, and the view can be held @desktop', async ({ page, runs, noise }) => {
  const runId = await runs.start(slow);
  await page.goto(`/runs/${runId}`);
  await expect(page.locator('[data-streaming]')).toContainText('Every word');
  await expect(page.locator('[data-feed=live]')).toBeVisible();
  await page.reload();
  await expect(page.getByText('line 2')).toBeVisible();

  await page.getByRole('button', { name: 'Pause the view' }).click();
  await expect(page.getByRole('button', { name: /Go on \(\d+ waiting\)/ })).toBeVisible();
  await runs.ended(runId);
  await expect(page.getByRole('region', { name: 'Outcome' }).getByText('Running')).toBeVisible();
  await page.getByRole('button', { name: /Go on/ }).click();
  await expect(page.getByRole('region', { name: 'Outcome' }).getByText('Succeeded')).toBeVisible();

  const seqs = await stored(runs, runId);
  expect(await shownEvents(page)).toEqual(seqs);
  expect(noise).toEqual([]);
});

test('a restart of the web server in the middle is survived @desktop', async ({ page, runs, pilothouse }) => {
  const runId = await runs.start(slow);
  await page.goto(`/runs/${runId}`);
  await expect(page.locator('[data-streaming]')).toContainText('Every word');
  for (const pid of webServers(pilothouse.pid)) process.kill(pid, 'SIGKILL');
  await expect(page.locator('[data-feed=reconnecting]')).toBeVisible();
  await expect(page.getByText('nothing is missed')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Outcome' }).getByText('Succeeded')).toBeVisible({ timeout: 60_000 });
  expect(await shownEvents(page)).toEqual(await stored(runs, runId));
});

test('ten tabs watch one run to its end @desktop', async ({ context, runs, noise }) => {
  const runId = await runs.start([{ text: sentence, delay_ms: 20_000 }]);
  const pages = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const page = await context.newPage();
      await page.goto(`/runs/${runId}`);
      return page;
    }),
  );
  for (const page of pages) await expect(page.getByRole('region', { name: 'Outcome' }).getByText('Succeeded')).toBeVisible({ timeout: 45_000 });
  const seqs = await stored(runs, runId);
  for (const page of pages) expect(await shownEvents(page)).toEqual(seqs);
  expect(noise).toEqual([]);
});

test('a run is cancelled from its page, after one question', async ({ page, runs }) => {
  const runId = await runs.start([{ tool_calls: [{ name: 'run_command', arguments: { command: 'sleep 60' } }] }]);
  await page.goto(`/runs/${runId}`);
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await expect(page.getByRole('region', { name: 'Outcome' }).getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel the run' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
});

test('the list says how runs go on, and lets nothing jump', async ({ page, runs }) => {
  // Tests share one installation: names of another project's pass must not be found here.
  const mark = Date.now().toString(36);
  const first = await runs.start([{ text: 'soon', delay_ms: 8_000 }], { task: `The first of ${mark}` });
  await page.goto('/runs');
  const row = page.getByRole('row', { name: `The first of ${mark}` }).first();
  await expect(row).toContainText(/Queued|Running/);
  await runs.ended(first);
  await expect(row).toContainText('Succeeded');
  await runs.start([{ text: 'done' }], { task: `The second of ${mark}` });
  await expect(page.getByText('1 new run', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: `The second of ${mark}` })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('link', { name: `The second of ${mark}` }).first()).toBeVisible();
});

/** The supervisor's children that serve the web: those that Next runs. */
function webServers(supervisor: number): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args=']).toString().split('\n');
  const processes = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter((found) => found !== null);
  return processes.filter(([, , parent, args]) => Number(parent) === supervisor && /next/.test(args ?? '')).map(([, pid]) => Number(pid));
}
