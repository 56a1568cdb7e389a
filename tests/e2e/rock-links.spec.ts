import type { Page } from '@playwright/test';
import type { CollectionFactsAnswer } from '../../src/market/contract.ts';
import type { HolderAnswer, RockPageAnswer, RocksAnswer } from '../../src/market/rocks-contract.ts';
import type { TreasurySnapshot } from '../../src/treasury/contract.ts';
import { type Product, untilOwnersAreRead } from '../support/product.ts';
import { problemsOf } from './support/accessibility.ts';
import { forgiveStatus } from './support/answers.ts';
import { expect, test } from './support/browser.ts';
import { installWallet, walletAddress } from './support/sui-wallet.ts';

test.use({ viewport: { width: 390, height: 844 } });

test.beforeEach(({ product }) => untilOwnersAreRead(product.url));

const asked = async <Data>({ url }: Product, path: string): Promise<Data> =>
  ((await (await fetch(url + path)).json()) as { data: Data }).data;

const connect = (page: Page) => page.getByRole('button', { name: 'Connect wallet' });

test('a connected wallet leads to its rocks: nothing is signed, and the wallet code loads only on request', async ({
  page,
  product,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const walletCode = () => scripts.filter((url) => url.includes('/sui-wallets'));
  await page.goto(`${product.sandbox.urls.walletBrowser}/rocks`);
  await expect(page.getByText('Only the address is read. Nothing is signed.')).toBeVisible();
  await expect(connect(page)).toBeEnabled();
  await page.waitForLoadState('networkidle');
  expect(walletCode()).toEqual([]);
  await connect(page).click();
  await page.getByRole('button', { name: 'Sandbox Wallet' }).first().click();
  expect(walletCode()).not.toEqual([]);
  const dialog = page.getByRole('dialog', { name: 'Connect Sandbox Wallet' });
  await dialog.getByRole('button', { name: 'Granite Gwen', exact: true }).click();
  await expect(page).toHaveURL(/\/holders\/0x[0-9a-f]{64}$/);
  await expect(page.getByRole('heading', { name: '3 rocks' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test("with several accounts in a wallet, the visitor chooses one, also on a holder's page", async ({ page }) => {
  await installWallet(page, { accountCount: 2 });
  await page.goto(`/holders/0x${'1'.repeat(64)}`);
  await connect(page).click();
  await page.getByRole('button', { name: 'Cave Wallet' }).click();
  const second = walletAddress(2);
  await page.getByRole('button', { name: second.slice(0, 6) }).click();
  await expect(page).toHaveURL(new RegExp(`/holders/${second}$`));
  await expect(page.getByText('This is the treasury’s wallet.')).toHaveCount(0);
  expect(await problemsOf(page)).toEqual([]);
});

test('when a wallet refuses, or there is none, the page shows a next step', async ({ page, context }) => {
  await page.goto('/rocks');
  await connect(page).click();
  await expect(page.getByText('This browser has no Sui wallet.')).toBeVisible();
  const withWallet = await context.newPage();
  await installWallet(withWallet, { connect: 'reject' });
  await withWallet.goto('/rocks');
  await connect(withWallet).click();
  await withWallet.getByRole('button', { name: 'Cave Wallet' }).click();
  await expect(withWallet.getByRole('alert')).toContainText('You did not let Cave Wallet connect.');
  await expect(withWallet.getByRole('button', { name: 'Cave Wallet' })).toBeEnabled();
});

const listedRock = async (product: Product) =>
  (await asked<RocksAnswer>(product, '/api/rocks?listed=true&sort=price')).rocks[0]!;

test("'Buy it' leads to the rock itself", async ({ page, product }) => {
  const { number, objectId } = await listedRock(product);
  await page.goto(`/rocks/${number}`);
  await expect(page.getByRole('link', { name: 'Buy it at the marketplace' })).toHaveAttribute(
    'href',
    `https://www.tradeport.xyz/sui/collection/sui-rocks?bottomTab=trades&tab=items&tokenId=${objectId}`,
  );
});

test('at a marketplace with unknown addresses the link leads to the collection and says so', async ({
  page,
  product,
}) => {
  const { number } = await listedRock(product);
  await page.route(`**/rocks/${number}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll('https://www.tradeport.xyz/', 'https://market.example/');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`/rocks/${number}`);
  const link = page.getByRole('link', { name: 'See the collection at the marketplace' });
  await expect(link).toHaveAttribute('href', /^https:\/\/market\.example\/[^#]*tab=items$/);
  await expect(page.getByText('Buy it')).toHaveCount(0);
});

test('a rock links to the ones before and after it, and each of its events to the chain', async ({ page, product }) => {
  const { previous, next, objectId, history } = await asked<RockPageAnswer>(product, '/api/rocks/2');
  await page.goto('/rocks/2');
  const others = page.getByRole('navigation', { name: 'Other rocks' });
  await expect(others.getByRole('link', { name: `Previous: #${previous}` })).toHaveAttribute('href', '/rocks/1');
  await expect(page.getByRole('link', { name: 'See it on the chain' })).toHaveAttribute(
    'href',
    new RegExp(`/object/${objectId}$`),
  );
  const links = page.getByRole('region', { name: 'Its story so far' }).getByRole('link', { name: /^Transaction/ });
  const addresses = await links.evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
  const digests = history.map(({ digest }) => digest).filter((digest) => digest !== null);
  expect(addresses.map((address) => new URL(address).pathname.split('/').at(-1))).toEqual(digests);
  await others.getByRole('link', { name: `Next: #${next}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Rock #${next}`);
  await page.goto('/rocks/1');
  await expect(others.getByRole('link', { name: /^Next/ })).toBeVisible();
  await expect(others.getByRole('link', { name: /^Previous/ })).toHaveCount(0);
});

test("a rock's share of the treasury is the same figure on every page and in the call", async ({ page, product }) => {
  const { valuePerRock } = await asked<TreasurySnapshot>(product, '/api/treasury/balance');
  const { usd = 0, mintedCount = 0 } = valuePerRock ?? {};
  const { owner } = await asked<RockPageAnswer>(product, '/api/rocks/1');
  const { count, share } = await asked<HolderAnswer>(product, `/api/holders/${owner?.address}`);
  expect(share).toMatchObject({ percent: Math.round((10_000 * count) / mintedCount) / 100, state: 'live' });
  const inUsd = (amount: number | null) =>
    `$${(amount ?? 0).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  await page.goto('/rocks/1');
  await expect(page.getByRole('region', { name: `1 of ${mintedCount} minted rocks` })).toContainText(inUsd(usd));
  await page.goto(`/holders/${owner?.address}`);
  const part = page.getByRole('region', { name: `${count} of ${mintedCount} minted rocks` });
  await expect(part).toContainText(inUsd(share.usd));
  await expect(part).toContainText('This is arithmetic, not a claim');
  expect(owner?.address).toBe(product.sandbox.facts.treasuryAddress);
  await expect(page.getByText('This is the treasury’s wallet. Payouts leave its rocks out.')).toBeVisible();
  await page.goto('/rockfolio');
  await expect(page.getByRole('region', { name: 'Value per rock' })).toContainText(inUsd(usd));
});

const wallet = '0x and 64 hexadecimal digits';
const refused: readonly (readonly [path: string, status: number, words: string])[] = [
  ...['0', '-1', '1000000000', '1e9', 'abc'].map(
    (number) => [`/api/rocks/${number}`, 400, 'A rock number is a whole number, 1 or higher.'] as const,
  ),
  ['/api/rocks/556', 404, 'No rock has the number 556.'],
  ...['-1', '0', '1000000000', 'abc'].map(
    (page) => [`/api/rocks?page=${page}`, 400, 'page must be a whole number from 1 to 10000.'] as const,
  ),
  ['/api/rocks?shape=round', 400, 'shape'],
  ['/api/rocks?color=Lava+Red', 400, 'color must be one of Powder Blue, '],
  ['/api/rocks?listed=maybe', 400, 'one of true, false is expected.'],
  ['/api/rocks?sort=weight', 400, 'one of number, price, recent is expected.'],
  ['/api/rocks?owner=0x12', 400, 'A Sui address is 0x followed by 64 hexadecimal digits.'],
  ['/api/holders/0x12', 400, wallet],
  [`/api/holders/0x${'a'.repeat(40)}`, 400, wallet],
  ['/api/holders/7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', 400, wallet],
];

for (const [path, status, words] of refused) {
  test(`${path} is refused in one clear sentence`, async ({ product }) => {
    const answer = await fetch(product.url + path);
    const { message } = (await answer.json()) as { message: string };
    expect([answer.status, message]).toEqual([status, expect.stringContaining(words)]);
    expect(message).toMatch(/^[A-Z][^\n]+\.$/);
  });
}

for (const [path, sentence] of [
  ['/rocks?page=-1', 'There is no such page: this is the first.'],
  ['/rocks?page=1000000000', 'There is no such page: this is the first.'],
  ['/rocks?color=Lava+Red', 'There is no such color: rocks of all colors are shown.'],
  ['/rocks?sort=weight', 'There is no such order, so the rocks are sorted by number.'],
  ['/rocks?owner=0x12', 'The owner must be a Sui address (0x and 64 digits), so the rocks of all owners are shown.'],
  ['/rockfolio?page=-1', 'There is no such page: this is the first.'],
  ['/rockfolio?kind=gift', 'There is no such kind: movements of all kinds are shown.'],
] as const) {
  test(`${path} answers 400 and says why, with and without scripts`, async ({ page, product, complaints }) => {
    const html = await (await fetch(product.url + path)).text();
    expect(html).toContain(`<noscript><p>${sentence}</p></noscript>`);
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(400);
    await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
    forgiveStatus(complaints, 400);
  });
}

test('a query that no page knows changes nothing', async ({ product }) => {
  const answer = await fetch(`${product.url}/rocks?utm_source=x&color=azure+pulse&page=2`);
  expect([answer.status, (await answer.text()).includes('<noscript></noscript>')]).toEqual([200, true]);
});

test('the treasury values its rocks at the floor that all pages show, whatever the marketplace calls its floor', async ({
  product,
}) => {
  const setFloorRule = (rule: object) => product.control('/control/set-floor-rule', { collection: 'rocks', rule });
  // As if a rock were for sale in another coin.
  await setFloorRule({ kind: 'fixed', floorMist: '5000000' });
  const setAt = Date.now();
  const balance = () => asked<TreasurySnapshot>(product, '/api/treasury/balance');
  await expect.poll(async () => Date.parse((await balance()).asOf) > setAt, { timeout: 60_000 }).toBe(true);
  const type = product.sandbox.facts.collectionType;
  const { floorSui } = await asked<CollectionFactsAnswer>(product, '/api/collection');
  const rocks = (await balance()).nftBreakdown.find(({ collectionId }) => collectionId === type);
  expect(floorSui).toBeGreaterThan(1);
  expect(rocks?.averagePriceSui).toBe(floorSui);
  await setFloorRule({ kind: 'lowest-listing' });
});

test('the market of the colors keeps its figures when a filter cannot be answered', async ({ page, complaints }) => {
  await page.goto('/rocks');
  const color = page.getByRole('table', { name: 'The six colors as a market' }).getByRole('row').nth(1);
  await expect(color).toContainText('SUI');
  const before = await color.innerText();
  await page.route('**/api/rocks?*', (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.getByRole('combobox', { name: 'Color' }).selectOption('Ocean Stone');
  await expect(page.getByText('Failed to load the rocks')).toBeVisible();
  expect(await color.innerText()).toBe(before);
  await expect(page.getByRole('region', { name: 'Six colors, six markets' })).toContainText('Stale');
  expect(complaints.every((text) => text.includes('status of 503'))).toBe(true);
  complaints.length = 0;
});

for (const width of [320, 360]) {
  test(`at ${width} px the links to the rocks before and after are in one piece each`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.route('**/api/rocks/2', async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: RockPageAnswer };
      await route.fulfill({ json: { data: { ...data, previous: 444, next: 555 } } });
    });
    await page.goto('/rocks/2');
    for (const name of ['Previous: #444', 'Next: #555']) {
      const lines = page.getByRole('link', { name }).evaluate((link) => {
        const text = document.createRange();
        text.selectNodeContents(link);
        return text.getClientRects().length;
      });
      expect(await lines, name).toBe(1);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
