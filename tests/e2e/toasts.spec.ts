import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';

const toasts = (page: Page) => page.getByRole('region', { name: /notifications/i }).getByRole('listitem');
const copy = (page: Page) => page.getByRole('button', { name: 'Copy address' }).click();

test.beforeEach(async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/rockfolio');
  // The page is hydrated once it shows figures; before that a click does nothing.
  await expect(page.getByRole('group', { name: 'Total Value' })).toContainText(/\$\d/);
});

test('a toast says what was done, and the address really is on the clipboard', async ({ page, product }) => {
  await copy(page);
  await expect(toasts(page)).toContainText('Copied!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(product.sandbox.facts.treasuryAddress);
});

test('at most one toast is visible at a time', async ({ page }) => {
  for (let times = 0; times < 3; times += 1) await copy(page);
  await expect(toasts(page)).toHaveCount(1);
});

test('a toast disappears by itself after 5000 ms, not before', async ({ page }) => {
  await copy(page);
  await expect(toasts(page)).toHaveCount(1);
  const shownAtMs = Date.now();
  await page.mouse.move(0, 0);
  await expect(toasts(page)).toHaveCount(0, { timeout: 8_000 });
  expect(Date.now() - shownAtMs).toBeGreaterThan(4_500);
});

test('F8 focuses the notification region, the close button dismisses', async ({ page }) => {
  await copy(page);
  await expect(toasts(page)).toHaveCount(1);
  await page.keyboard.press('F8');
  const focusIsInside = () =>
    page.evaluate(() => document.activeElement?.closest('[role="region"]')?.getAttribute('aria-label') ?? '');
  await expect.poll(focusIsInside).toMatch(/notifications/i);
  await toasts(page).getByRole('button', { name: 'Close' }).click();
  await expect(toasts(page)).toHaveCount(0);
});

test('a swipe to the right by more than 50 px dismisses, a shorter one does not', async ({ page }) => {
  const swipe = async (byPx: number): Promise<void> => {
    // Hovering waits until the toast has slid in, and keeps it from disappearing by itself.
    await toasts(page).hover();
    const box = await toasts(page).boundingBox();
    if (box === null) throw new Error('no toast');
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 6; step += 1) await page.mouse.move(x + (byPx * step) / 6, y);
    await page.mouse.up();
  };
  await copy(page);
  await expect(toasts(page)).toHaveCount(1);
  await swipe(30);
  await expect(toasts(page)).toHaveCount(1);
  await swipe(120);
  await expect(toasts(page)).toHaveCount(0);
});

test('on medium screens the toasts are at most 420 px wide', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 800 });
  await copy(page);
  const box = await toasts(page).boundingBox();
  expect(box?.width).toBeLessThanOrEqual(420);
});
