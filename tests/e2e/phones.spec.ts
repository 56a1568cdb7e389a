import { expect, test } from './support/browser.ts';
import { untilOwnersAreRead } from '../support/product.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';
import { publicPages } from './support/public-pages.ts';

test.use({ viewport: { width: 375, height: 800 }, hasTouch: true });

const pages = [...publicPages, '/no-such-cave', '/auth'] as const;

for (const path of pages) {
  test(`${path} never scrolls sideways, and every control is touch-sized at 375 px`, async ({ page, complaints }) => {
    for (const width of [320, 768, 375]) {
      await page.setViewportSize({ width, height: 800 });
      if (width === 320) await page.goto(path);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflowPx, `at ${width} px`).toBeLessThanOrEqual(0);
    }
    await expect(page.getByText('Loading...')).toHaveCount(0);
    expect(await smallTargets(page)).toEqual([]);
    // The browser itself reports the 404 of an unknown path, and the 401 of a visitor at /auth.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/status of 40[14]/.test(text)));
  });

  test(`at 375 px and 200 % text nothing on ${path} is off the screen`, async ({ page, complaints }) => {
    // As a browser setting does: everything in rem, including media queries, is twice as large.
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    await page.goto(path);
    await expect(page.getByText('Loading...')).toHaveCount(0);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    expect(await textsOffScreen(page)).toEqual([]);
    // As a reader's own style sheet does: the text grows, but media queries do not see it.
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    expect(await textsOffScreen(page)).toEqual([]);
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/status of 40[14]/.test(text)));
  });
}

test('at 200 % text a value has the whole width, below its name', async ({ page, product }) => {
  await untilOwnersAreRead(product.url);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.goto('/rocks/1');
  const owner = page.getByRole('definition').first();
  await expect(owner).toBeVisible();
  expect((await owner.boundingBox())?.width).toBeGreaterThan(250);
});

test("the header shows the product's name on a phone", async ({ page }) => {
  await page.goto('/nft');
  await expect(page.getByRole('banner').getByText('Sui Rocks')).toBeInViewport();
});
