import type { RocksAnswer } from '../../src/market/rocks-contract.ts';
import { problemsOf } from './support/accessibility.ts';
import { alive } from './support/alive.ts';
import { untilOwnersAreRead } from '../support/product.ts';
import { expect, test } from './support/browser.ts';

test.use({ viewport: { width: 390, height: 844 } });

test.beforeEach(({ product }) => untilOwnersAreRead(product.url));

test('from home to a rock of a color, its sale and its owner in four presses on a phone', async ({ page, product }) => {
  const { data } = (await (await fetch(`${product.url}/api/rocks?color=Frosted+Mist`)).json()) as { data: RocksAnswer };
  const sold = data.rocks.find(({ lastSale }) => lastSale !== null && lastSale.priceMist !== null);
  await page.goto('/');
  await page.getByRole('link', { name: 'See the rocks' }).click();
  const market = page.getByRole('table', { name: 'The six colors as a market' });
  await expect(market.getByRole('row').filter({ hasText: 'Frosted Mist' })).toContainText('30', { timeout: 30_000 });
  await market.getByRole('link', { name: 'Frosted Mist' }).click();
  await expect(page).toHaveURL(/\/rocks\?color=Frosted/);
  const rock = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Frosted Mist' });
  await rock.getByRole('link', { name: `Rock #${sold?.number}`, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Rock #${sold?.number}`);
  await expect(page.getByText('30 of 555 rocks are Frosted Mist')).toBeVisible();
  await expect(page.getByRole('region', { name: /^1 of \d+ minted rocks$/ })).toContainText(
    /\$\d.*0\.\d+% of the treasury.*Live/,
  );
  const history = page.getByRole('region', { name: 'Its story so far' });
  const sale = history
    .getByRole('listitem')
    .filter({ hasText: /^Sold.* for [\d.,]+ SUI/ })
    .first();
  await expect(sale.getByText(/from 0x\S+ to 0x\S+/)).toBeVisible();
  await expect(sale.getByRole('link', { name: /^Transaction of: Sold/ })).toHaveAttribute('href', /\/tx\/\w{32,}$/);
  await expect(page.getByText(/^Minted/)).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
  const owner = page.getByRole('main').locator('a[href^="/holders/0x"]').first();
  await owner.click();
  await expect(page).toHaveURL(/\/holders\/0x[0-9a-f]{64}$/);
  await expect(page.getByText(/^\d+ of \d+ minted rocks$/)).toBeVisible();
  await expect(page.getByText(/arithmetic, not a claim/)).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
});

test('a pasted address leads to its rocks, a number to its rock; an invalid address says what is wrong', async ({
  page,
}) => {
  await page.goto('/rocks');
  const field = page.getByLabel('Whose rocks? Paste a Sui address or a name');
  await alive(field);
  await field.fill('0x12');
  await page.getByRole('button', { name: 'Show rocks' }).click();
  const tooShort = 'This address is too short: it has 2 of 64 digits after 0x. Copy it whole.';
  await expect(page.getByText(tooShort)).toBeVisible();
  await expect(page).toHaveURL(/\/rocks$/);
  await field.fill(`0x${'1'.repeat(64)}`);
  await page.getByRole('button', { name: 'Show rocks' }).click();
  await expect(page).toHaveURL(new RegExp(`/holders/0x${'1'.repeat(64)}$`));
  await field.fill(' #7');
  await page.getByRole('button', { name: 'Show rocks' }).click();
  await expect(page).toHaveURL(/\/rocks\/7$/);
});

test('an address sent before hydration is looked up, and what is wrong with it is said', async ({ page }) => {
  let releaseScripts = (): void => {};
  const scriptsReleased = new Promise<void>((resolve) => {
    releaseScripts = resolve;
  });
  await page.route(/\.js$/, async (route) => {
    await scriptsReleased;
    await route.continue();
  });
  await page.goto('/rocks', { waitUntil: 'commit' });
  const field = page.getByLabel('Whose rocks? Paste a Sui address or a name');
  await field.fill('0x12');
  // The browser sends the form itself.
  await field.press('Enter', { noWaitAfter: true });
  await expect(page).toHaveURL(/\/rocks\?wallet=0x12$/);
  // Filters are disabled before hydration: a choice would be lost.
  const filters = page.getByRole('form', { name: 'Which rocks' });
  for (const filter of ['Color', 'Order', 'For sale']) await expect(filters.getByLabel(filter)).toBeDisabled();
  releaseScripts();
  await expect(page.getByText(/^This address is too short/)).toBeVisible();
  await expect(field).toHaveValue('0x12');
  await page.goto(`/rocks?wallet=0x${'1'.repeat(64)}`);
  await expect(page).toHaveURL(new RegExp(`/holders/0x${'1'.repeat(64)}$`));
});

test('a name leads to the rocks of its address; an unknown name is called unknown', async ({ page, complaints }) => {
  await page.goto('/rocks');
  const field = page.getByLabel('Whose rocks? Paste a Sui address or a name');
  await field.fill('@suirocks');
  await page.getByRole('button', { name: 'Show rocks' }).click();
  await expect(page).toHaveURL(/\/holders\/suirocks\.sui$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('suirocks.sui');
  await expect(page.locator('.holder-address')).toHaveText(/^0x[0-9a-f]{64}/);
  await page.goto('/holders/oldbone.sui');
  await expect(page.getByText('The name oldbone.sui leads to no address, or has expired.')).toBeVisible();
  // The browser itself reports the 404.
  complaints.length = 0;
});

test('by keyboard the next page begins at its heading; the page says when no rock matches', async ({ page }) => {
  await page.goto('/rocks');
  await page.getByRole('navigation', { name: 'Pages of rocks' }).getByRole('link', { name: 'Next' }).press('Enter');
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole('heading', { name: 'The rocks' })).toBeFocused();
  const count = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /rocks?$/ });
  await expect(count).toHaveText(/^\d+ rocks$/);
  await page.goto(`/rocks?owner=0x${'1'.repeat(64)}`);
  await expect(count).toHaveText('0 rocks');
  await expect(page.getByText('No rocks match these filters.')).toBeVisible();
});

test('a page number past the last one says so, and offers the last page', async ({ page }) => {
  await page.goto('/rocks?page=99');
  await expect(page.getByText(/^There is no such page: the last one is \d+\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Show the last page' }).click();
  await expect(page).toHaveURL(/\/rocks\?page=\d+$/);
  await expect(page.getByRole('list', { name: 'Rocks' }).getByRole('listitem').first()).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
});

test('every rock shows its own picture, shrunk; until that is ready the server answers with the drawn one', async ({
  page,
  product,
}) => {
  await page.goto('/rocks');
  const pictures = page.getByRole('list', { name: 'Rocks' }).locator('img');
  await expect(pictures.first()).toHaveAttribute('src', '/rock-images/1', { timeout: 30_000 });
  await expect
    .poll(() => pictures.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(100);
  // While its own picture is being read and decoded, the drawn one is served.
  const read = () => fetch(`${product.url}/rock-images/1`);
  await expect.poll(async () => (await read()).headers.get('content-type'), { timeout: 60_000 }).toBe('image/webp');
  const answer = await read();
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
  expect((await answer.arrayBuffer()).byteLength).toBeLessThan(20_000);
});

test('the page of a rock for sale names its preview, which is a picture of 1200 x 630', async ({ product }) => {
  const listed = await fetch(`${product.url}/api/rocks?listed=true`);
  const { data } = (await listed.json()) as { data: { rocks: readonly { number: number }[] } };
  const { number } = data.rocks[0]!;
  const html = await (await fetch(`${product.url}/rocks/${number}`)).text();
  const address = /property="og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(address).toContain(`/rock-images/${number}/card.png?at=`);
  const { pathname, search } = new URL(address);
  const answer = await fetch(`${product.url}${pathname}${search}`);
  expect(answer.headers.get('content-type')).toBe('image/png');
  const png = Buffer.from(await answer.arrayBuffer());
  // PNG, 11.2.2: width and height.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('a gallery page with its pictures weighs at most 350 kB, and nothing moves', async ({ page }) => {
  let bytes = 0;
  const counted: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    counted.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => void (bytes += responseBodySize + responseHeadersSize)),
    );
  });
  await page.goto('/rocks');
  await expect(page.getByRole('list', { name: 'Rocks' }).getByRole('listitem')).toHaveCount(60, { timeout: 30_000 });
  await page.waitForLoadState('networkidle');
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
  await Promise.all(counted);
  expect(bytes).toBeLessThan(350 * 1_024);
  expect(shift).toBeLessThan(0.05);
});

test("a rock's facts appear in the room reserved for them", async ({ page }) => {
  const asked = Promise.withResolvers<void>();
  await page.route('**/api/rocks/1', async (route) => {
    await asked.promise;
    await route.continue();
  });
  await page.goto('/rocks/1');
  const room = page.locator('.rock-facts');
  await expect(room.getByText('Loading...')).toBeAttached();
  await page.evaluate(() => document.fonts.ready);
  const before = await room.boundingBox();
  asked.resolve();
  await expect(room.getByRole('link', { name: 'Powder Blue' })).toBeVisible();
  expect((await room.boundingBox())?.y).toBe(before?.y);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a rock has the same facts, and its owner is a link', async ({ page, product }) => {
    const { data } = (await (await fetch(`${product.url}/api/rocks/1`)).json()) as {
      data: { color: string; owner: { address: string } | null };
    };
    await page.goto('/rocks/1');
    await expect(page.getByRole('main').locator('dl').first()).toContainText(data.color);
    await expect(page.getByRole('main').locator(`a[href="/holders/${data.owner?.address}"]`).first()).toBeVisible();
    await page.goto('/rocks');
    await expect(page.getByRole('main').locator('a[href^="/holders/0x"]').first()).toBeVisible();
    await expect(page.locator('.skeleton:visible')).toHaveCount(0);
  });
});

interface Counts {
  readonly minted: number;
  readonly listed: number;
  readonly floor: number;
}

test('after a sale every page and call agrees on minted, for sale and floor', async ({ page, product }) => {
  const data = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`${product.url}${path}`)).json()) as { data: T }).data;
  type Listed = { total: number; rocks: { objectId: string; listing: { priceMist: string } | null }[] };
  const ofGallery = async (): Promise<Counts> => {
    const [all, listed] = await Promise.all([
      data<Listed>('/api/rocks'),
      data<Listed>('/api/rocks?listed=true&sort=price'),
    ]);
    return { minted: all.total, listed: listed.total, floor: Number(listed.rocks[0]?.listing?.priceMist) / 1e9 };
  };
  const before = await ofGallery();
  const cheapest = (await data<Listed>('/api/rocks?listed=true&sort=price')).rocks[0]?.objectId;
  await product.control('/control/buy', { nftId: cheapest, buyer: `0x${'e'.repeat(64)}` });
  await expect.poll(async () => (await ofGallery()).listed, { timeout: 60_000 }).toBe(before.listed - 1);
  const now = await ofGallery();
  const facts = await data<{ mintedCount: number; listedCount: number; floorSui: number }>('/api/collection');
  expect({ minted: facts.mintedCount, listed: facts.listedCount, floor: facts.floorSui }).toEqual(now);
  for (const path of ['/', '/nft']) {
    const html = await (await fetch(`${product.url}${path}`)).text();
    expect(html).toContain(`${now.minted} of 555 minted, floor ${now.floor} SUI, ${now.listed} listed`);
  }
  expect(await (await fetch(`${product.url}/rocks`)).text()).toContain(`of ${now.minted} rocks`);
  await page.goto('/nft');
  await expect(page.getByRole('main')).toContainText(`${now.floor} SUI`);
});
