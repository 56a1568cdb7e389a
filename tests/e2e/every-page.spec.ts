import type { Page } from '@playwright/test';

import { colourProblemsOf, problemsOf } from './support/accessibility.ts';
import { expect, test } from './support/browser.ts';
import { publicPages } from './support/public-pages.ts';

/** Checks title, description, canonical address and Open Graph image. */
async function namesItself(page: Page, url: string, path: string): Promise<void> {
  expect((await page.title()).length).toBeGreaterThan(5);
  const content = (selector: string, name = 'content'): Promise<string | null> =>
    page.locator(selector).getAttribute(name);
  expect((await content('meta[name="description"]'))?.length).toBeGreaterThan(40);
  expect(await content('link[rel="canonical"]', 'href')).toBe(url + path);
  const image = await content('meta[property="og:image"]');
  expect((await fetch(image ?? '')).headers.get('content-type')).toMatch(/^image\/(png|jpeg)/);
}

for (const path of publicPages) {
  test(`${path} has its metadata, shows the keyboard focus, and has no accessibility problem (WCAG 2.2 AA)`, async ({
    page,
    product,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.goto(path);
    await namesItself(page, product.url, path);
    await expect(page.getByText('Loading...')).toHaveCount(0);
    expect(await problemsOf(page), 'in dark').toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await colourProblemsOf(page), 'in light').toEqual([]);
    await page.keyboard.press('Tab');
    const outlined = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement ?? document.body);
      return document.activeElement !== document.body && (style.outlineStyle !== 'none' || style.boxShadow !== 'none');
    });
    expect(outlined, 'the focus is visible').toBe(true);
  });

  test(`${path} is readable and navigable with JavaScript off`, async ({ browser, product }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
    const page = await context.newPage();
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: 'NFTs', exact: true }).click();
    await expect(page).toHaveURL(/\/nft$/);
    await context.close();
  });
}

test('with JavaScript off the treasury shows the last snapshot as text', async ({ browser, product }) => {
  const { data } = (await (await fetch(`${product.url}/api/treasury/balance`)).json()) as {
    data: { treasuryAddress: string; nftBreakdown: { collectionName: string }[] };
  };
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const page = await context.newPage();
  await page.goto('/rockfolio');
  await expect(page.getByText('Loading...').first()).toBeHidden();
  await expect(page.getByRole('table', { name: 'NFT holdings' })).toContainText(data.nftBreakdown[0]!.collectionName);
  const total = page.getByRole('listitem').filter({ hasText: 'Total Value' });
  await expect(total).toContainText(/\$[\d,.]+.*live/);
  await expect(total).toContainText('source: Sui full node, DefiLlama, TradePort)');
  await context.close();
});

test('sitemap and robots name the public pages', async ({ product }) => {
  const sitemap = await (await fetch(`${product.url}/sitemap.xml`)).text();
  for (const path of publicPages) expect(sitemap).toContain(`<loc>${product.url}${path}</loc>`);
  const robots = await (await fetch(`${product.url}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${product.url}/sitemap.xml`);
  // The longest matching path wins (RFC 9309).
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, rule, path = '']) => ({ rule, path }));
  const isOpen = (path: string): boolean =>
    rules.filter((each) => path.startsWith(each.path)).toSorted((one, other) => other.path.length - one.path.length)[0]
      ?.rule !== 'Disallow';
  const calls = ['treasury/balance', 'treasury/history', 'rocks', 'rocks/7', 'collection', 'payouts', 'sources'];
  expect(calls.filter((call) => !isOpen(`/api/${call}`))).toEqual([]);
  const closed = ['auth/check', 'telegram/status', 'discord/guilds', 'admin/totp', 'audit', 'verify/x', 'openapi.json'];
  expect(closed.filter((call) => isOpen(`/api/${call}`))).toEqual([]);
});

test('the treasury page spells its sources as they do', async ({ page }) => {
  await page.goto('/rockfolio');
  await expect(page.locator('main')).toContainText('Sui full node, DefiLlama, TradePort');
  await expect(page.locator('main')).toContainText('Price: DefiLlama');
});

test('printed, a page has the dark ink of the light theme, whatever the screen shows', async ({ page }) => {
  await page.goto('/rockfolio');
  const title = page.getByRole('heading', { level: 1 });
  const ink = () => title.evaluate((element) => getComputedStyle(element).color);
  await page.emulateMedia({ colorScheme: 'light' });
  const dark = await ink();

  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ink()).not.toBe(dark);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  expect(await ink()).toBe(dark);
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
  expect(await ink()).toBe(dark);
});
