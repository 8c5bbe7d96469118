import { expect, test } from './test';

test('from the skip link to the failed call with the keyboard alone @desktop', async ({ page, runs }) => {
  const runId = await runs.start([
    { tool_calls: [{ name: 'read_file', arguments: { path: 'missing.txt' } }] },
    { tool_calls: [{ name: 'run_command', arguments: { command: 'exit 7' } }] },
    { text: 'One was missing.' },
    { text: 'One was missing, as I said.' },
  ], { task: 'Walk by keyboard' });
  await runs.ended(runId);
  await page.goto('/runs');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  for (let step = 0; step < 12 && !(await page.getByRole('link', { name: 'Walk by keyboard' }).first().evaluate((link) => link === document.activeElement)); step += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Walk by keyboard' })).toBeVisible();

  await page.keyboard.press('n');
  await expect(page.locator('article:focus')).toContainText('read_file');
  await page.keyboard.press('n');
  await expect(page.locator('article:focus')).toContainText('exit 7');
  await page.keyboard.press('p');
  await expect(page.locator('article:focus')).toContainText('read_file');
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Failed only' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('One was missing.', { exact: true })).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.getByLabel('Use single-key shortcuts').press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Failed only' })).toHaveAttribute('aria-pressed', 'true');
});
