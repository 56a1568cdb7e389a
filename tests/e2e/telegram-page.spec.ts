import { alive } from './support/alive.ts';
import { expect, test } from './support/browser.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/telegram');
});

test("the card 'NFT Activity Tracker' opens the bot's link in a new window", async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'NFT Activity Tracker' })).toBeVisible();
  // Not the community's group, which is also at t.me.
  const link = page.getByRole('main').locator('a[href="https://t.me/SuiRocksBot"][target="_blank"]').first();
  await expect(link).toBeVisible();
  await expect(link).toHaveAttribute('rel', /noopener/);
});

test('the setup guide has four steps', async ({ page }) => {
  const steps = page.getByRole('region', { name: 'Set it up in four steps' }).getByRole('listitem');
  await expect(steps).toContainText([/group admin/i, /\/setup 0x/, /maximum supply/i, /\/tracking/]);
  await expect(steps).toHaveCount(4);
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
  await expect(page.getByRole('main').locator('dl').first().getByRole('definition')).toHaveText([
    'The bot checks activity roughly every 30-45 seconds.',
    'A removed bot keeps its configuration for 30 days.',
    'It tracks one collection per group.',
    'Marketplace fees included, rounded to 2 decimals for prices above 1 SUI.',
  ]);
});

test('example cards show a mint, a sale, a listing and a summary', async ({ page }) => {
  const cards = page.getByRole('region', { name: 'What your group will see' }).getByRole('listitem');
  await expect(cards).toContainText([/^Mint/, /^Sale/, /^Listing/, /^Summary/]);
  await expect(cards.filter({ hasText: '412 / 555 minted' })).toHaveCount(2);
});
