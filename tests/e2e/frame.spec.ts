import { untilOwnersAreRead } from '../support/product.ts';
import { alive } from './support/alive.ts';
import { expect, test } from './support/browser.ts';
import { publicPages } from './support/public-pages.ts';

for (const path of publicPages) {
  test(`the header of ${path} has a logo and the links Home, NFTs and RockFolio`, async ({ page }) => {
    await page.goto(path);
    const header = page.getByRole('banner');
    for (const [name, href] of [
      ['Home', '/'],
      ['NFTs', '/nft'],
      ['RockFolio', '/rockfolio'],
    ] as const) {
      await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
    }
    await expect(header.getByRole('link', { name: /sui rocks/i })).toHaveAttribute('href', '/');
    await expect(header.locator('svg').first()).toBeVisible();
  });

  test(`the footer of ${path} links to the community and legal pages, and has the current year`, async ({ page }) => {
    await page.goto(path);
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByRole('link', { name: /telegram/i }).first()).toHaveAttribute(
      'href',
      'https://t.me/suirocks',
    );
    await expect(footer.getByRole('link', { name: /^X\b|twitter/i }).first()).toHaveAttribute(
      'href',
      'https://x.com/suirocks',
    );
    await expect(footer.getByRole('link', { name: /tradeport|marketplace/i }).first()).toHaveAttribute(
      'href',
      /^https:\/\/www\.tradeport\.xyz\/.*tab=items/,
    );
    await expect(footer.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
    await expect(footer.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms');
    await expect(footer.getByRole('link', { name: 'All rocks' })).toHaveAttribute('href', '/rocks');
    await expect(footer.getByRole('link', { name: 'Payouts' })).toHaveAttribute('href', '/payouts');
    await expect(footer.getByRole('link', { name: 'NFT tracker for Telegram' })).toHaveAttribute('href', '/telegram');
    await expect(footer.getByRole('link', { name: 'How to verify in Discord' })).toHaveAttribute('href', '/verify');
    await expect(footer).toContainText(String(new Date().getFullYear()));
  });
}

test('with JavaScript off the footer shows the current year, too', async ({ browser, product }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const page = await context.newPage();
  await page.goto('/terms');
  await expect(page.getByRole('contentinfo')).toContainText(`© ${new Date().getUTCFullYear()} Sui Rocks`);
  await context.close();
});

test("the browser's own year wins over the server's", async ({ page }) => {
  await page.clock.setFixedTime(new Date('2031-06-01T12:00:00Z'));
  await page.goto('/privacy');
  await expect(page.getByRole('contentinfo')).toContainText('© 2031 Sui Rocks');
});

test('hydration keeps a page where a visitor has scrolled to, and a reload opens it at its top', async ({ page }) => {
  const program = Promise.withResolvers<undefined>();
  await page.route('**/*.js', async (route) => {
    await program.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' });
  await link.scrollIntoViewIfNeeded();
  const scrolledToPx = await page.evaluate(() => window.scrollY);
  expect(scrolledToPx).toBeGreaterThan(100);
  program.resolve(undefined);
  await alive(link);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(scrolledToPx);

  await page.reload();
  await alive(link);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('links of the header move between the pages without loading the document again', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => document.documentElement.setAttribute('data-same-document', 'yes'));
  const link = page.getByRole('banner').getByRole('link', { name: 'RockFolio', exact: true });
  await alive(link);
  await link.click();
  await expect(page).toHaveURL(/\/rockfolio$/);
  await expect(page).toHaveTitle(/RockFolio/);
  await expect(page.locator('html')).toHaveAttribute('data-same-document', 'yes');
});

test('going back restores the scroll position, except on the two pages that open at their top', async ({ page }) => {
  const scrolledPx = (): Promise<number> => page.evaluate(() => window.scrollY);
  await page.goto('/');
  const quest = page.getByRole('link', { name: 'Join the Quest' });
  await alive(quest);
  await quest.scrollIntoViewIfNeeded();
  const leftAtPx = await scrolledPx();
  expect(leftAtPx).toBeGreaterThan(100);
  await quest.click();
  await expect(page).toHaveTitle(/The collection/);
  expect(await scrolledPx()).toBe(0);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveTitle(/Privacy Policy/);

  await page.goBack();
  await expect(page).toHaveTitle(/The collection/);
  expect(await scrolledPx()).toBe(0);
  await page.goBack();
  await expect(page).toHaveTitle(/a treasury in the open/);
  await expect.poll(scrolledPx).toBe(leftAtPx);
  await page.getByRole('banner').getByRole('link', { name: 'NFTs', exact: true }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveTitle(/a treasury in the open/);
  expect(await scrolledPx()).toBe(0);
});

test('going back gives the focus to the link that was followed, and a title is as full as when loaded', async ({
  page,
  product,
}) => {
  await untilOwnersAreRead(product.url);
  await page.goto('/rocks');
  const rock = page
    .getByRole('list', { name: 'Rocks' })
    .getByRole('link', { name: /^Rock #/ })
    .nth(5);
  await alive(rock);
  await rock.press('Enter');
  await expect(page).toHaveTitle(/^Rock #\d+, \w+ \w+ \| Sui Rocks$/);
  const title = await page.title();
  await page.reload();
  await expect(page).toHaveTitle(title);
  await page.goto('/rocks');
  await alive(rock);
  await rock.press('Enter');
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await expect(rock).toBeFocused();
});

test('a link to the current page scrolls to its top, and adds no entry to the history', async ({ page }) => {
  await page.goto('/');
  const own = page.getByRole('contentinfo').getByRole('link', { name: 'Payouts' });
  await alive(own);
  await own.click();
  await expect(page).toHaveTitle(/Payouts/);
  // By key: the list of payouts may still move the footer away from under a pointer.
  await own.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('a link to another part of the current page scrolls to that part, and going back to the top', async ({ page }) => {
  await page.goto('/rocks');
  const color = page.getByRole('table', { name: 'The six colors as a market' }).getByRole('link', { name: 'Azure' });
  await alive(color);
  await color.click();
  await expect(page).toHaveURL(/color=Azure/);
  await expect(page.getByRole('heading', { name: 'The rocks' })).toBeFocused();

  await page.goto('/rockfolio');
  const movements = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Movements' });
  await alive(movements);
  await movements.click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('the theme follows the system, can be switched and stays switched', async ({ browser, product }) => {
  const context = await browser.newContext({ colorScheme: 'dark', baseURL: product.url });
  const page = await context.newPage();
  await page.goto('/');
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  const themeSwitch = page.getByRole('banner').getByRole('button', { name: /theme|quarry|light/i });
  await alive(themeSwitch);
  await themeSwitch.click();
  await expect.poll(background).not.toBe(dark);
  const light = await background();
  await page.goto('/nft');
  expect(await background()).toBe(light);
  await context.close();
});
