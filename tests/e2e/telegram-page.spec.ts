import { alive } from './support/alive.ts';
import { expect, test } from './support/browser.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/telegram');
});

test("the card 'NFT Activity Tracker' opens the bot's link in a new window", async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'NFT Activity Tracker' })).toBeVisible();
  const link = page.getByRole('main').locator('a[href^="https://t.me/"][target="_blank"]').first();
  await expect(link).toBeVisible();
  await expect(link).toHaveAttribute('rel', /noopener/);
});

test('the setup guide has four steps', async ({ page }) => {
  const main = page.getByRole('main');
  for (const text of [/group admin/i, /\/setup/, /maximum supply/i, /\/tracking/])
    await expect(main).toContainText(text);
});

test("a notice names the bid event types 'accept-bid' and 'solo-bid'", async ({ page }) => {
  await expect(page.getByRole('main')).toContainText('accept-bid');
  await expect(page.getByRole('main')).toContainText('solo-bid');
});

test("the tabs 'Frequently Asked Questions' and 'Bot Commands' switch, by mouse and by keyboard", async ({ page }) => {
  const commands = page.getByRole('tab', { name: 'Bot Commands' });
  const questions = page.getByRole('tab', { name: 'Frequently Asked Questions' });
  await expect(questions).toHaveAttribute('aria-selected', 'true');
  await alive(commands);
  await commands.click();
  await expect(commands).toHaveAttribute('aria-selected', 'true');
  for (const command of ['/start', '/help', '/setup', '/floor', '/summary', '/tracking', '/remove']) {
    await expect(page.getByRole('tabpanel')).toContainText(command);
  }
  await page.keyboard.press('ArrowLeft');
  await expect(questions).toHaveAttribute('aria-selected', 'true');
});

test('the page states what the bot does: interval, retention, one collection, prices', async ({ page }) => {
  const text = (await page.getByRole('main').textContent()) ?? '';
  expect(text).toMatch(/30\s*[-–to]+\s*45 seconds/);
  expect(text).toMatch(/30 days/);
  expect(text).toMatch(/one collection per group/i);
  expect(text).toMatch(/fees included|including marketplace fees/i);
  expect(text).toMatch(/2 decimals|two decimals/i);
});

test('example cards show a mint, a sale, a listing and a summary', async ({ page }) => {
  const main = page.getByRole('main');
  for (const kind of [/mint/i, /sale|sold/i, /list/i, /summary/i]) await expect(main).toContainText(kind);
  await expect(main).toContainText('555');
});
