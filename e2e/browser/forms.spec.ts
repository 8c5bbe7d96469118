import { expect, test } from './test';

test('a new run: what is wrong stands beside its field, and nothing typed is lost', async ({ page, pilothouse, noise }) => {
  await page.goto('/runs/new');
  await page.getByLabel('What is the agent to do?').fill('Count the files\nand say how many');
  await page.getByLabel('Rounds').fill('many');
  await page.getByRole('button', { name: 'Submit the run' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Nothing was submitted yet' });
  await expect(summary).toBeFocused();
  await expect(page.getByLabel('Rounds')).toHaveAttribute('aria-invalid', 'true');

  await page.getByLabel('Rounds').fill('12');
  await page.getByLabel('Directory', { exact: true }).fill('/etc');
  await page.getByRole('button', { name: 'Submit the run' }).click();
  await expect(page.getByLabel('Directory', { exact: true })).toHaveAccessibleDescription(/is no directory under one in which workspaces may lie/);
  await expect(page.getByLabel('What is the agent to do?')).toHaveValue('Count the files\nand say how many');
  await expect(page.getByLabel('Rounds')).toHaveValue('12');
  // A refusal is an answer of the server that the browser notes.
  expect(noise.filter((line) => !line.includes('400'))).toEqual([]);

  await page.getByLabel('Directory', { exact: true }).fill(`${pilothouse.dataDirectory}/workspaces`);
  await page.getByLabel(/^Model/).fill('scripted');
  await page.getByRole('button', { name: 'Submit the run' }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(page.getByRole('heading', { level: 1, name: 'Count the files' })).toBeVisible();
  await expect(page.getByText('12 rounds')).toBeAttached();
});

test('a token is shown once, works, and is worth nothing when it is revoked', async ({ page, runs }) => {
  const name = `CI ${Date.now()}`;
  await page.goto('/settings/tokens');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Make the token' }).click();
  const token = (await page.getByTestId('secret').textContent()) ?? '';
  expect((await runs.api('/me', { token })).status).toBe(200);
  await page.reload();
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('revoked');
  expect((await runs.api('/me', { token })).status).toBe(401);
});

test('the chosen colours are there in the first byte', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Ada Lovelace/ }).locator('visible=true').click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const answer = await page.reload();
  expect(await answer?.text()).toContain('data-theme="dark"');
});

test('runs are found by status, text and page without JavaScript @desktop', async ({ browser, runs, pilothouse, context }) => {
  const runId = await runs.start([{ text: 'done' }], { task: 'Find this needle again' });
  await runs.ended(runId);
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState(), baseURL: pilothouse.url });
  const page = await plain.newPage();
  await page.goto('/runs');
  await page.getByLabel('Text of the task').fill('needle');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page).toHaveURL(/q=needle/);
  await page.getByRole('link', { name: 'Find this needle again' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Find this needle again' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Outcome' }).getByText('Succeeded')).toBeVisible();
  await plain.close();
});
