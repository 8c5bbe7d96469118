import { createHash } from 'node:crypto';
import { newId } from '@/lib/testing/run-builder';
import { expect, test } from './test';

test('another project’s run is not there, by address or by API @desktop', async ({ page, runs }) => {
  const [project, user, token] = [newId('prj'), newId('usr'), `ph_${'x'.repeat(43)}`];
  await runs.query("INSERT INTO project (id, name) VALUES ($1, 'Another')", project);
  await runs.query("INSERT INTO app_user (id, email, name) VALUES ($1, $2, 'Eve')", user, `${user.toLowerCase()}@example.org`);
  await runs.query("INSERT INTO member (project_id, user_id, role) VALUES ($1, $2, 'admin')", project, user);
  await runs.query(
    "INSERT INTO api_token (id, project_id, user_id, name, role, hash) VALUES ($1, $2, $3, 'theirs', 'admin', $4)",
    newId('tok'), project, user, createHash('sha256').update(token).digest('hex'),
  );
  const answer = await runs.api('/runs', { method: 'POST', token, body: { task: 'A secret of another project', workspace: { sample: true }, model: 'scripted' } });
  const { id } = (await answer.json()) as { readonly id: string };

  const page404 = await page.goto(`/runs/${id}`);
  expect(page404?.status()).toBe(404);
  await expect(page.getByRole('main').getByText('There is no such run here')).toBeVisible();
  expect(await page.content()).not.toContain('A secret of another project');
  expect((await runs.api(`/runs/${id}`)).status).toBe(404);
  expect((await runs.api(`/runs/${id}/events`)).status).toBe(404);
  await page.goto('/runs?q=secret');
  await expect(page.getByText('No run fits')).toBeVisible();
  // Other ids and no ids read the same.
  for (const other of ['run_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nothing', '%00']) {
    expect((await page.goto(`/runs/${other}`))?.status()).toBeGreaterThanOrEqual(400);
  }
});

test('a viewer is offered nothing that they may not do, and refused it too', async ({ page, browser, runs, pilothouse }) => {
  await page.goto('/settings/people');
  const email = `viewer-${Date.now()}@example.org`;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByTestId('secret').textContent();

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, viewport: page.viewportSize() });
  const viewer = await context.newPage();
  await viewer.goto(link ?? '');
  await viewer.getByRole('button', { name: 'Sign in' }).click();
  await viewer.getByRole('link', { name: 'Later' }).click();
  await expect(viewer.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Run the sample task' })).toHaveCount(0);
  await expect(viewer.getByRole('link', { name: 'New run' })).toHaveCount(0);
  expect((await viewer.goto(`${pilothouse.url}/runs/new`))?.status()).toBe(404);
  await viewer.goto(`${pilothouse.url}/settings/people`);
  await expect(viewer.getByRole('listitem').filter({ hasText: email }).getByText('you', { exact: true })).toBeVisible();
  await expect(viewer.getByRole('button', { name: /Remove/ })).toHaveCount(0);
  const refused = await viewer.evaluate(async () => {
    const answer = await fetch('/api/v1/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ task: 'x', workspace: { sample: true } }) });
    return answer.status;
  });
  expect(refused).toBe(403);
  await context.close();
  expect((await runs.api('/members')).status).toBe(200);
});
