import { expect, test } from './test';

const blocker = {
  kind: 'user_decision',
  summary: 'Two targets are named.',
  evidence: [{ kind: 'file', summary: 'Both are defined', target: 'targets.yaml' }],
  question: 'Which target is meant?',
  choices: ['staging', 'production'],
};

test('a blocked run asks, and an answer goes on in a new turn', async ({ page, runs, noise }) => {
  const runId = await runs.start([{ tool_calls: [{ name: 'report_blocker', arguments: blocker }] }, { text: 'I deployed to staging.' }], { verifier: 'true' });
  await runs.ended(runId);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('Which target is meant?');
  await page.goto(`/runs/${runId}`);
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByText('Blocked', { exact: true })).toBeVisible();
  await expect(outcome.getByText('exit code 5')).toBeVisible();
  await expect(outcome.getByText('Not run', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'staging' }).click();
  await expect(page).not.toHaveURL(new RegExp(runId));
  await expect(outcome.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(page.getByText('I deployed to staging.').first()).toBeVisible();
  await page.goto(`/runs/${runId}`);
  await expect(page.getByText('The session has gone on since.')).toBeVisible();
  expect(noise).toEqual([]);
});

test('a claim that the record does not bear out is no success', async ({ page, runs }) => {
  const runId = await runs.start([
    { tool_calls: [{ name: 'edit', arguments: { path: 'notes.txt', old_text: 'nothing like this', new_text: 'x' } }] },
    { text: 'All done!' },
    { text: 'As I said: all done.' },
  ]);
  await runs.ended(runId);
  await page.goto(`/runs/${runId}`);
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByText('Failed', { exact: true })).toBeVisible();
  await expect(outcome.getByText('None recorded')).toBeVisible();
  await expect(outcome.getByText(/none succeeded, and the workspace is as it was/)).toBeVisible();
  // What the harness said is told apart from what the person said.
  await page.getByRole('tab', { name: /Told/ }).click();
  await expect(page.getByText('Pilothouse · report')).toBeVisible();
});
