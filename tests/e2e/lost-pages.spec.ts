import type { Page } from '@playwright/test';

import { alive } from './support/alive.ts';
import { expect, test } from './support/browser.ts';
import { test as payoutTest } from './support/payout-signing.ts';

/** As after an upgrade: the code of a page open in a browser names files that no longer exist. */
async function withoutPrivacyPage(page: Page) {
  let asked = 0;
  await page.goto('/');
  await page.evaluate(() => document.documentElement.setAttribute('data-same-document', 'yes'));
  await page.route('**/assets/privacy-page*', (route) => {
    asked += 1;
    return route.fulfill({ status: 404, body: 'Not found' });
  });
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' });
  await alive(link);
  return { link, asked: () => asked };
}

test('a link whose page is gone after an upgrade loads a new document', async ({ page, complaints }) => {
  const { link } = await withoutPrivacyPage(page);
  await link.hover();
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('status of 404')]);
  await page.unroute('**/assets/privacy-page*');
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-same-document', 'yes');
});

test('a page whose code fails to load at first says so, and can be loaded again', async ({ page, complaints }) => {
  await page.route('**/assets/rockfolio-page*', (route) => route.abort('connectionreset'));
  await page.goto('/rockfolio');
  await expect(page.getByRole('alert')).toContainText('A rock fell on this page');
  await page.unroute('**/assets/rockfolio-page*');
  complaints.length = 0;
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a page whose first script fails to load says so, and can be loaded again', async ({ page, complaints }) => {
  await page.route('**/assets/entry-client*', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.goto('/rockfolio');
  const note = page.getByRole('alert').filter({ hasText: 'This page could not be loaded completely.' });
  await expect(note).toBeVisible();
  await page.unroute('**/assets/entry-client*');
  complaints.length = 0;
  await note.getByRole('link', { name: 'Load it again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(note).toBeHidden();
});

test('a page whose code fails to load on navigation is requested once, says so and can be loaded again', async ({
  page,
  complaints,
}) => {
  const { link, asked } = await withoutPrivacyPage(page);
  await link.evaluate((element: HTMLElement) => element.click());
  await expect(page.getByRole('alert')).toContainText('A rock fell on this page');
  expect(asked()).toBe(1);
  expect(complaints.splice(0)).toEqual([
    expect.stringContaining('status of 404'),
    expect.stringContaining('privacy-page'),
  ]);
  await page.unroute('**/assets/privacy-page*');
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
});

test('offline, a link to a page that is not loaded yet says so; back online it opens', async ({
  page,
  context,
  complaints,
}) => {
  await page.goto('/');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' });
  await alive(link);
  await context.setOffline(true);
  await link.click();
  await expect(page.getByRole('alert')).toContainText('You are offline.');
  await context.setOffline(false);
  complaints.length = 0;
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
});

payoutTest(
  'without the code that compares a transaction, as after an upgrade, a treasurer is told to load the page again',
  async ({ page, scene, complaints }) => {
    await page.route('**/assets/transaction-bytes*', (route) => route.fulfill({ status: 404, body: 'Not found' }));
    await scene.open();
    await expect(page.getByText('Failed to load the code that checks the transaction')).toBeVisible();
    await expect(page.getByText('Check the connection and try again, or reload the page.')).toBeVisible();
    complaints.length = 0;
    await page.unroute('**/assets/transaction-bytes*');
    await page.reload();
    await expect(page.getByText('Equals the plan, line by line')).toBeVisible();
  },
);
