import { expect, test } from './test';

const IMAGE = '<img src=x onerror=alert(1)>';

test('what a model, a tool or a person writes stays text', async ({ page, runs, noise }) => {
  const runId = await runs.start(
    [
      {
        text: `${IMAGE}<script>alert(2)</script> [a link](javascript:alert(3))`,
        reasoning: '<svg onload=alert(4)>',
        tool_calls: [
          { name: 'write_file', arguments: { path: `${IMAGE}.txt`, content: `${IMAGE}\njavascript:alert(5)\nif (admin\u202E) {\n` } },
          { name: 'write_file', arguments: { path: 'invoice\u202Efdp.exe', content: 'x\n' } },
          { name: 'run_command', arguments: { command: `printf '%s' '${IMAGE}'; exit 3` } },
        ],
      },
      { text: IMAGE },
      { text: `${IMAGE} again` },
    ],
    { task: `${IMAGE} \u202Ehidden javascript:alert(6)` },
  );
  await runs.ended(runId);
  for (const address of [`/runs/${runId}`, `/runs/${runId}?tab=changes`, `/runs/${runId}?tab=told`, `/runs/${runId}?tab=events`, '/runs', '/']) {
    await page.goto(address);
    await expect(page.getByText(IMAGE).first()).toBeAttached();
    await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
    expect(await page.locator('img, main script, svg[onload]').count()).toBe(0);
    expect(await page.locator('a[href^="javascript" i]').count()).toBe(0);
  }
  await page.goto(`/runs/${runId}`);
  // In the name of a file, in a diff and in the title, what reorders is seen.
  expect(await page.getByText('U+202E').count()).toBeGreaterThanOrEqual(3);
  expect(await page.title()).toContain('[U+202E]');
  expect(noise).toEqual([]);
});
