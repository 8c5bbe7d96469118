import { expect, test } from './test';

test('the sample task runs, is watched, succeeds, and shows what it changed', async ({ page, noise }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Run the sample task' }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(page.getByRole('heading', { level: 1, name: 'Fix the failing test' })).toBeVisible();

  const status = page.getByRole('region', { name: 'Outcome' });
  await expect(status.getByText('Succeeded')).toBeVisible({ timeout: 60_000 });
  await expect(status.getByText('Recorded', { exact: true })).toBeVisible();
  await expect(status.getByText('Passed', { exact: true })).toBeVisible();
  await expect(status.getByText('Does not prove what it did not check.')).toBeVisible();
  await expect(page).toHaveTitle('✓ Fix the failing test · Pilothouse');
  // The failing test run before the mend is told apart from the one after it.
  await expect(page.getByText('exit 1').first()).toBeAttached();
  await expect(page.getByRole('group', { name: 'Changes of src/duration.mjs' })).toContainText('total += Number');

  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByRole('figure')).toContainText('src/duration.mjs');
  await page.getByRole('tab', { name: /Usage/ }).click();
  await expect(page.getByRole('region', { name: 'Sums of the turn' })).toContainText('11,429');

  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Recent endings' }).getByRole('link', { name: 'Fix the failing test' }).first()).toBeVisible();
  expect(noise).toEqual([]);
});
