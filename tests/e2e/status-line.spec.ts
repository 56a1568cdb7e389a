import { startProduct, type Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test } from './support/browser.ts';

/** What visitors see while a source cannot be read (docs/decisions/0024). On a busy machine the chain may be named, too. */
const line = /Prices are from \d\d:\d\d UTC, .+: the price service has not answered since\./;
const staleOf = async ({ url }: Product): Promise<readonly { source: string }[]> =>
  ((await (await fetch(`${url}/api/sources`)).json()) as { data: { stale: { source: string }[] } }).data.stale;

test('every page names a source that does not answer, and since when; the line disappears when it answers again', async ({
  page,
  browser,
  complaints,
}) => {
  const product = await startProduct({ env: { TREASURY_REFRESH_MS: '3000' } });
  const pricesAre = (kind: '500' | null) =>
    kind === null
      ? product.control('/control/faults/clear')
      : Promise.all(
          ['prices', 'pricesFallback'].map((service) => product.control('/control/faults', { service, kind })),
        );
  const status = page.getByRole('status').filter({ hasText: 'Prices are from' });
  try {
    await until('everything was read', async () => (await fetch(`${product.url}/api/treasury/balance`)).ok, 60_000);
    // The first reading of all rocks takes turns with those of the treasury.
    await until('nothing is stale', async () => (await staleOf(product)).length === 0, 60_000);
    await page.clock.install();
    await page.goto(`${product.url}/terms`);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(page.locator('.status-line')).toHaveText('');

    await pricesAre('500');
    const areStale = async () => (await staleOf(product)).some(({ source }) => source === 'prices');
    await until('the prices are stale', areStale, 60_000);
    // A page that is open asks again every five minutes.
    await page.clock.fastForward('05:01');
    await expect(status).toHaveText(line);

    for (const path of ['/', '/rockfolio', '/auth', '/no/such/page']) {
      await page.goto(product.url + path);
      await expect(status).toHaveText(line);
    }

    await test.step('the line works without a script, on a phone in both themes, and is accessible', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const phone = { viewport: { width: 375, height: 700 }, colorScheme, baseURL: product.url };
        const plain = await browser.newContext({ ...phone, javaScriptEnabled: false });
        const read = await plain.newPage();
        await read.goto('/');
        await expect(read.getByRole('status')).toHaveText(
          /Prices are from \d+ \w+ \d{4}, \d\d:\d\d UTC: the price service has not answered since\./,
        );
        await plain.close();
        const context = await browser.newContext(phone);
        const alive = await context.newPage();
        await alive.goto('/rockfolio');
        await expect(alive.getByText(line)).toBeInViewport();
        expect(await alive.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
        // axe measures elements that are not laid out at their last position, over the footer.
        await alive.evaluate(() => {
          for (const each of document.querySelectorAll<HTMLElement>('.below-fold'))
            each.style.contentVisibility = 'visible';
        });
        // At the end of the page the line is below everything; before that it may cover half of a control.
        await alive.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        expect(await problemsOf(alive)).toEqual([]);
        // On its side the phone is too low for the line, which would cover what the keyboard reaches.
        await alive.setViewportSize({ width: 700, height: 375 });
        await alive.evaluate(() => scrollTo(0, 0));
        await expect(alive.getByText(line)).not.toBeInViewport();
        await context.close();
      }
    });

    await test.step('the line appears and disappears without moving anything', async () => {
      await page.goto(`${product.url}/terms`);
      await expect(status).toHaveText(line);
      const heading = page.getByRole('heading', { level: 1 });
      const before = await heading.boundingBox();
      await pricesAre(null);
      await until('the prices are read again', async () => (await staleOf(product)).length === 0, 60_000);
      await page.clock.fastForward(31_000);
      await expect(status).toHaveCount(0);
      expect(await heading.boundingBox()).toEqual(before);
      await page.goto(`${product.url}/nft`);
      await expect(page.locator('.status-line')).toHaveText('');
    });
    // The browser reports the answers of /auth without a session and of the page that does not exist by itself.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/401|404/.test(text)));
  } finally {
    // An open page would keep sending requests.
    await page.goto('about:blank');
    await product.stop();
  }
});
