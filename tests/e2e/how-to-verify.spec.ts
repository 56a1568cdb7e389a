import { expect, test } from './support/browser.ts';

test('/verify without a link says how to get one, in the frame of every page', async ({ page }) => {
  // With a slash, as the start of every real link has it.
  const answer = await page.goto('/verify/');
  expect(answer?.status()).toBe(200);
  await expect(page).toHaveURL(/\/verify$/);
  await expect(page).toHaveTitle(/Get your holder role/);
  await expect(page.getByRole('main')).toContainText('Use /verify in the Discord server');
  await expect(page.getByRole('region', { name: 'Four steps, two minutes' }).getByRole('listitem')).toHaveCount(4);
  await expect(page.getByRole('link', { name: 'Open Discord' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
});

test('the page says how a real link begins', async ({ page, product }) => {
  await page.goto('/verify');
  await expect(page.getByRole('main')).toContainText(`Every real link begins with ${product.url}/verify/`);
});
