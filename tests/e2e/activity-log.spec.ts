import type { Page } from '@playwright/test';
import { admin, expect, test } from './support/admin.ts';

const changes = (page: Page) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
const pageSize = 50;

// Every login is a logged change: this makes enough of them for a second page.
test.beforeAll(async ({ product, playwright }) => {
  const client = await playwright.request.newContext({ baseURL: product.url });
  for (let times = 0; times <= pageSize; times += 1) {
    expect((await client.post('/api/auth/login', { data: admin })).status()).toBe(200);
  }
  await client.dispose();
});

test("the log shows who did what to what, when, newest first, with 'Older' for the rest", async ({ page, signIn }) => {
  await signIn('/admin?tab=activity');
  await expect(changes(page)).toHaveCount(pageSize);
  const newest = changes(page).first();
  await expect(newest).toContainText('Logged in');
  await expect(newest.getByRole('button', { name: admin.username }).first()).toBeVisible();
  await expect(newest).toContainText('Admin');
  await expect(newest.getByRole('time')).toHaveText(/ago$/);
  await expect(newest.getByRole('time')).toHaveAttribute('title', /^\d{1,2} \w{3} \d{4}, \d\d:\d\d UTC$/);
  await expect(newest.getByText(/^\d{1,2} \w{3} \d{4}, \d\d:\d\d UTC$/)).toBeVisible();

  await page.getByRole('button', { name: 'Older' }).click();
  await expect(changes(page).last()).toContainText('User added');
  await expect(page.getByRole('button', { name: 'Older' })).toHaveCount(0);
  const times = await page
    .getByRole('time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime') ?? ''));
  expect(times.length).toBeGreaterThan(pageSize);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('the log shows before and after as a readable difference', async ({ page, signIn }) => {
  await signIn('/admin?tab=activity&action=user-added');
  const made = changes(page).first();
  await expect(made).toContainText('System');
  await expect(made).toContainText('rights: admin');
});

test('the log is filtered by who, what and on what, in the form or by a press on a word, and the address keeps the filter', async ({
  page,
  signIn,
}) => {
  await signIn('/admin?tab=activity');
  await page.getByLabel('What', { exact: true }).fill('User added');
  await page.keyboard.press('Enter');
  await expect(changes(page)).toHaveCount(1);
  await expect(page).toHaveURL(/action=User\+added/);
  await page.reload();
  await expect(changes(page)).toHaveCount(1);
  await expect(page.getByLabel('What', { exact: true })).toHaveValue('User added');

  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(changes(page)).toHaveCount(pageSize);
  await expect(page).toHaveURL(/\/admin\?tab=activity$/);

  await changes(page).first().getByRole('button', { name: 'Logged in' }).click();
  await expect(page.getByLabel('What', { exact: true })).toHaveValue('logged-in');
  await expect(changes(page).filter({ hasNotText: 'Logged in' })).toHaveCount(0);

  await page.getByLabel('Who', { exact: true }).fill('start');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page.getByText('No change matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(changes(page)).toHaveCount(pageSize);

  const [who, whom] = await changes(page).first().getByRole('button', { name: admin.username, exact: true }).all();
  await who?.click();
  await expect(page.getByLabel('Who', { exact: true })).toHaveValue(`admin:${admin.username}`);
  await whom?.click();
  await expect(page.getByLabel('On what', { exact: true })).toHaveValue(/^user:\d+$/);
  await expect(changes(page)).toHaveCount(pageSize);
});

test('the log is filtered by days', async ({ page, signIn }) => {
  await signIn('/admin?tab=activity&to=2020-01-01');
  await expect(page.getByText('No change matches these filters.')).toBeVisible();
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel('To day').fill(today);
  await page.getByLabel('From day').fill('2020-01-01');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(changes(page)).toHaveCount(pageSize);
});

test('the log says that it is loading, or that this failed, with a button to retry', async ({
  page,
  signIn,
  complaints,
}) => {
  await signIn();
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/audit?*', async (route) => {
    await held;
    await route.abort();
  });
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  answer();
  await expect(page.getByRole('alert')).toContainText('Failed to load the activity log.');
  await page.unroute('**/api/audit?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(changes(page)).toHaveCount(pageSize);
  await expect(page.getByRole('alert')).toHaveCount(0);
  // The browser reports the failed request by itself.
  complaints.length = 0;
});

test('on a phone the filters are folded until they are opened', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await signIn('/admin?tab=activity');
  await expect(page.getByLabel('Who', { exact: true })).toBeHidden();
  await page.getByText('Filter the log').click();
  await expect(page.getByLabel('Who', { exact: true })).toBeVisible();
});
