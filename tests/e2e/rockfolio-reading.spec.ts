import { treasuryTrendAnswer } from '../../src/treasury/contract.ts';
import { until } from '../support/until.ts';
import { expect, test } from './support/browser.ts';
import { everyAnswerRead, fetchedAtMs, noteWhatIsFetched } from './support/what-is-fetched.ts';
import { dataOf } from '../support/route-request.ts';

test('without scripts no figure wraps to a second line, even on a phone', async ({ browser, product }) => {
  const context = await browser.newContext({
    baseURL: product.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 800 },
  });
  const page = await context.newPage();
  await page.goto('/rockfolio');
  const figures = page.locator('header td.numeric');
  await expect(figures.first()).toBeVisible();
  const linesOf = await figures.evaluateAll((cells) =>
    cells.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }),
  );
  expect(new Set(linesOf)).toEqual(new Set([1]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await context.close();
});

test('long lists are laid out when they come near the screen', async ({ page }) => {
  await page.goto('/rockfolio');
  const movements = page.getByRole('list').filter({ has: page.locator('.rock-event') });
  await expect(movements).toBeAttached();
  const isLaidOut = () =>
    movements
      .locator('li')
      .first()
      .evaluate((row) => row.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut()).toBe(false);
  // Chromium's autofill reads where each field is, and would lay out everything around it.
  await expect(page.locator('.below-fold').locator('input, select, textarea')).toHaveCount(0);
  await movements.scrollIntoViewIfNeeded();
  await expect.poll(isLaidOut).toBe(true);
});

test('value over time, value per rock and actual against target allocation surround the specified sections', async ({
  page,
}) => {
  await page.goto('/rockfolio');
  const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  expect(titles).toEqual([
    'Value over time',
    'Fund Allocation',
    'Category Breakdown',
    'Full Transparency',
    'Beyond the balance',
  ]);
  for (const name of [/value over time/i, /value per rock/i, /actual.*target|target.*actual/i]) {
    await expect(page.getByRole('main')).toContainText(name);
  }
});

test("a visitor whose clock is two hours ahead sees the figures' age by the server's clock", async ({ page }) => {
  await page.clock.install({ time: new Date(Date.now() + 2 * 3_600_000) });
  await page.goto('/rockfolio');
  await expect(page.getByRole('group', { name: 'Total Value' })).toContainText(/minute ago|\d min ago/);
});

test('the chip of a slice has its color even when the pie is far above, as on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/rockfolio');
  const rows = page.getByRole('region', { name: 'Actual against target allocation' }).getByRole('listitem');
  await expect(rows).toHaveCount(5);
  for (const row of await rows.all()) {
    const chip = row.locator('svg').first();
    const withChip = await chip.screenshot();
    await chip.locator('path').evaluate((path) => path.remove());
    expect(withChip.equals(await chip.screenshot()), 'a chip can be seen').toBe(false);
  }
});

test('an explanation opens by pointer, keyboard or touch, and Escape closes it', async ({ page, browser, product }) => {
  await page.goto('/rockfolio');
  const explained = page.getByRole('columnheader', { name: 'Avg Price (SUI)' }).getByRole('button');
  const tooltip = page.getByRole('tooltip');
  // A scroll closes it, and a busy browser reports the one that brought the button here late.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await explained.hover();
    await expect(tooltip).toContainText('The floor price of the collection', { timeout: 1_000 });
    await expect(tooltip).toBeInViewport({ ratio: 1, timeout: 1_000 });
    await expect(explained).toHaveAccessibleDescription(/The floor price of the collection/, { timeout: 1_000 });
    await tooltip.hover({ timeout: 1_000 });
    await expect(tooltip).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  await page.mouse.move(0, 0);
  await explained.focus();
  await expect(tooltip).toBeVisible();
  await explained.blur();
  await expect(tooltip).toHaveCount(0);

  const phone = await browser.newContext({
    baseURL: product.url,
    hasTouch: true,
    viewport: { width: 320, height: 640 },
  });
  const small = await phone.newPage();
  await small.goto('/rockfolio');
  await small.getByRole('table', { name: 'NFT Holdings' }).getByRole('cell').getByText('Avg Price (SUI)').first().tap();
  await expect(small.getByRole('tooltip')).toBeInViewport({ ratio: 1 });
  await small.getByRole('heading', { name: 'NFT Holdings' }).tap();
  await expect(small.getByRole('tooltip')).toHaveCount(0);
  await phone.close();
});

test('the treasury is reloaded every 300000 ms, with three retries when that fails', async ({ page, complaints }) => {
  const path = '/api/treasury/balance';
  const passMinutes = async (minutes: number): Promise<number> => {
    const fromMs = await page.evaluate(() => Date.now());
    for (let tenSeconds = 0; tenSeconds < minutes * 6; tenSeconds += 1) {
      await page.clock.runFor(10_000);
      await everyAnswerRead(page);
    }
    return fromMs;
  };
  await page.clock.install({ time: new Date('2026-11-20T12:00:00Z') });
  await noteWhatIsFetched(page);
  await page.goto('/rockfolio');
  await expect(page.getByRole('group', { name: 'Total Value' })).toContainText('$');
  await page.clock.pauseAt(new Date('2026-11-20T12:10:00Z'));
  await everyAnswerRead(page);

  const asked = await fetchedAtMs(page, path, await passMinutes(11));
  const gapsMs = asked.slice(1).map((atMs, nth) => atMs - (asked[nth] ?? 0));
  expect(gapsMs).not.toEqual([]);
  expect(gapsMs.filter((gapMs) => gapMs < 300_000 || gapMs > 320_000)).toEqual([]);

  await page.route(`**${path}`, (route) => route.fulfill({ status: 503, json: { message: 'Away.', code: 'away' } }));
  const [first = 0, ...tries] = await fetchedAtMs(page, path, await passMinutes(6));
  expect(tries.filter((atMs) => atMs - first < 60_000)).toHaveLength(3);
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('503')));
});

test('figures turn stale when the page cannot refresh them, and live after a reload', async ({
  page,
  request,
  complaints,
}) => {
  const isTrendKnown = async (): Promise<boolean> => {
    const trend = dataOf(treasuryTrendAnswer, await (await request.get('/api/treasury/trend')).json());
    return trend.state === 'live' && trend.changes.every(({ usd }) => usd !== null);
  };
  await until('the value of past days is known', isTrendKnown, 60_000);
  await page.clock.install();
  await page.goto('/rockfolio');
  const total = page.getByRole('group', { name: 'Total Value' });
  const trend = page.getByRole('group', { name: 'Trend' });
  await expect(total).toContainText('Live');
  await expect(trend).toContainText('$');
  await expect(trend).not.toContainText('Stale');

  const calls = '**/api/treasury/**';
  await page.route(calls, (route) => route.fulfill({ status: 503, json: { message: 'Away.', code: 'away' } }));
  await page.clock.fastForward(11 * 60_000);
  await expect(total).toContainText('Stale');
  await expect(trend).toContainText('Stale');

  await page.unroute(calls);
  await page.clock.fastForward(6 * 60_000);
  await expect(total).toContainText('Live');
  await expect(trend).not.toContainText('Stale');
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('503')));
});
