import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';

/** Rulings R3, value over time: 101 hours, each worth ten dollars more than the one before. */
const startMs = Date.parse('2026-11-01T00:00:00Z');
const points = Array.from({ length: 101 }, (_none, hour) => ({
  at: new Date(startMs + hour * 3_600_000).toISOString(),
  totalUsdValue: 1_000 + hour * 10,
  nftTotalValueUsd: 500,
  tokenTotalUsd: 500 + hour * 10,
}));
const section = (page: Page) => page.getByRole('region', { name: 'Value over time' });
const reading = (page: Page) => section(page).locator('strong').first();
const [firstUsd, middleUsd, lastUsd] = ['$1,000', '$1,500', '$2,000'];

const openChart = async (page: Page) => {
  await page.route('**/api/treasury/history?*', (route) => route.fulfill({ json: { data: { points } } }));
  await page.goto('/rockfolio');
  await section(page).scrollIntoViewIfNeeded();
  await expect(reading(page)).toHaveText(lastUsd);
  const box = await section(page).locator('svg').first().boundingBox();
  if (box === null) throw new Error('there is no chart');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test('a pointer reads single hours off the chart; when it leaves, the last hour is shown again', async ({ page }) => {
  const { x, y } = await openChart(page);
  await page.mouse.move(x, y);
  await expect(reading(page)).toHaveText(middleUsd);
  await page.mouse.move(0, y);
  await expect(reading(page)).toHaveText(lastUsd);
});

test('arrow keys read hour by hour, and each is announced with its time', async ({ page }) => {
  await openChart(page);
  const slider = section(page).getByRole('slider', { name: 'Reading' });
  await slider.press('ArrowLeft');
  await expect(reading(page)).toHaveText('$1,990');
  await expect(slider).toHaveAttribute('aria-valuetext', /^\$1,990, 5 Nov 2026/);
  await slider.press('Home');
  await expect(reading(page)).toHaveText(firstUsd);
});

test('a touch reads the hour under the finger, which stays after the finger leaves', async ({ browser, product }) => {
  const phone = await browser.newContext({
    baseURL: product.url,
    hasTouch: true,
    viewport: { width: 375, height: 740 },
  });
  const page = await phone.newPage();
  const { x, y } = await openChart(page);
  await page.touchscreen.tap(x, y);
  await expect(reading(page)).toHaveText(middleUsd);
  await section(page).getByRole('heading', { name: 'Value over time' }).tap();
  await expect(reading(page)).toHaveText(middleUsd);
  await phone.close();
});
