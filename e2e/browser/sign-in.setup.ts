import { EMAIL, PASSWORD, STORAGE_STATE } from './stack';
import { expect, test as setup } from './test';

setup('the printed link signs in once, and a password from then on', async ({ page, pilothouse, noise }) => {
  await page.goto('/runs?status=live');
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fruns%3Fstatus%3Dlive/);

  await page.goto(pilothouse.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/welcome$/);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Choose a password').fill('short');
  await page.getByLabel('Choose a password').evaluate((input: HTMLInputElement) => input.removeAttribute('minlength'));
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await expect(page.getByText('must have at least 10 characters')).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue(EMAIL);
  await page.getByLabel('Choose a password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();

  await page.getByRole('button', { name: /Ada Lovelace/ }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(pilothouse.signInLink);
  await expect(page.getByRole('heading', { name: 'This link is used up' })).toBeVisible();

  await page.goto('/sign-in?callbackUrl=%2Fsettings%2Fpeople');
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'do not belong together' })).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/settings\/people$/);
  await page.context().storageState({ path: STORAGE_STATE });
  expect(noise).toEqual([]);
});
