import { gzipSync } from 'node:zlib';
import { answering } from './support/answers.ts';
import { expect, test } from './support/browser.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
});

test('home has a hero text', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Stone Age keeps honest books.');
  await expect(page.getByText('Sui Rocks is a tribe of 555 rocks on the SUI blockchain')).toBeVisible();
});

test("the NFT collection card leads with 'Learn More' to /nft", async ({ page }) => {
  await page.getByRole('main').getByRole('link', { name: 'Learn More' }).click();
  await expect(page).toHaveURL(/\/nft$/);
});

test("the treasury card leads with 'View Treasury' to /rockfolio", async ({ page }) => {
  await page.getByRole('main').getByRole('link', { name: 'View Treasury' }).click();
  await expect(page).toHaveURL(/\/rockfolio$/);
});

test("the tracker card is marked 'UNDER DEVELOPMENT' and its 'Coming Soon' button is disabled", async ({ page }) => {
  await expect(page.getByText('UNDER DEVELOPMENT', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Coming Soon' })).toBeDisabled();
});

test("the tracker card leads to the bot's page, which also says that it is under development", async ({ page }) => {
  await page.getByRole('main').getByRole('link', { name: 'How it will work' }).click();
  await expect(page).toHaveURL(/\/telegram$/);
  await expect(page.getByRole('main')).toContainText(/Under development.*Coming soon/);
});

test('a card can be pressed anywhere and has one link, whose focus ring surrounds the card', async ({ page }) => {
  const cards = page.getByRole('region', { name: 'What is in the cave' }).getByRole('article');
  for (const [title, path] of [
    ['NFT Collection', '/nft'],
    ['Treasury', '/rockfolio'],
    ['NFT Tracker Bot', '/telegram'],
  ] as const) {
    const card = cards.filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    await expect(card.getByRole('link')).toHaveCount(1);
    await card.getByRole('link').focus();
    expect(await card.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none');
    await card.click({ position: { x: 30, y: 30 } });
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await page.goto('/');
  }
  await cards.getByRole('button', { name: 'Coming Soon' }).click({ force: true });
  await expect(page).toHaveURL(/\/$/);
});

test('a figure is no longer called live when the page failed to reload it twice', async ({ page, complaints }) => {
  await page.clock.install();
  const facts = page.getByRole('region', { name: 'The collection right now' });
  const value = page.locator('.treasury-value.needs-script');
  // On a busy machine a refresh comes late, and the page asks again only after minutes.
  await expect(async () => {
    await page.goto('/');
    for (const figure of [facts, value]) await expect(figure).toContainText('Live', { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  // The login page of a hotel's network is not an answer either.
  await page.route('**/api/collection', (route) => route.fulfill({ contentType: 'text/html', body: 'Welcome, guest' }));
  await page.clock.runFor(130_000);
  await expect(facts).toContainText('Stale');
  await expect(facts).toContainText('Minted');
  await expect(value).toContainText('Live');
  await page.clock.runFor(500_000);
  await expect(value).toContainText('Stale');
  complaints.length = 0;
});

test("the roadmap 'Rockmap: Quest to Rock Mountain' has six phases with their status", async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Rockmap: Quest to Rock Mountain' })).toBeVisible();
  const phases = page.getByRole('list', { name: /rockmap/i }).getByRole('listitem');
  const expected = [
    ['Mint Begins', /completed/i],
    ['NFT Sweeping, Degen Plays', /current/i],
    ['Minted Out, futures trading begins', /upcoming/i],
    ['Regular revenue distributions to rock holders', /upcoming/i],
    ['Telegram-style bot for NFT tracking', /upcoming/i],
    ['NFT-gated call channel for futures entry signals', /upcoming/i],
  ] as const;
  await expect(phases).toHaveCount(expected.length);
  for (const [index, [title, status]] of expected.entries()) {
    await expect(phases.nth(index)).toContainText(title);
    await expect(phases.nth(index)).toContainText(status);
  }
});

test("'Join the Quest' leads to /nft", async ({ page }) => {
  await page.getByRole('link', { name: 'Join the Quest' }).click();
  await expect(page).toHaveURL(/\/nft$/);
});

test('the community section links to the messenger, the social network and the marketplace', async ({ page }) => {
  const community = page.getByRole('region', { name: 'Community Sit by the fire' });
  await expect(community.locator('a[href="https://t.me/suirocks"]')).toBeVisible();
  await expect(community.locator('a[href="https://x.com/suirocks"]')).toBeVisible();
  await expect(community.locator('a[href*="tradeport"][href*="tab=items"]')).toBeVisible();
});

test('the minted count comes from the live collection facts, with its age', async ({ page, product }) => {
  const answer = await fetch(`${product.url}/api/collection`);
  const { data } = (await answer.json()) as { data: { mintedCount: number } };
  expect(data.mintedCount).toBeGreaterThan(0);
  await expect(page.getByRole('main')).toContainText(new RegExp(`${data.mintedCount}\\s*(of|/)\\s*555`));
});

test('a browser that asks for /favicon.ico gets a small icon, not the whole not-found page', async ({ request }) => {
  const answer = await request.get('/favicon.ico');
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).toBe('image/x-icon');
  expect((await answer.body()).byteLength).toBeLessThan(4096);
});

test('a floor too small for two decimals keeps its digits, and one that is not known is left out', async ({ page }) => {
  const facts = { mintedCount: 1412, maxSupply: 5555, holderCount: 9, state: 'live', asOf: new Date().toISOString() };
  const shown = page.getByRole('region', { name: 'The collection right now' });
  await answering(page, '/api/collection', { ...facts, floorSui: 0.004_21 });
  await page.reload();
  await expect(shown).toContainText(/Minted\s*1,412\s*of 5555.*Floor\s*0\.00421\s*SUI.*Holders\s*9/);
  await answering(page, '/api/collection', { ...facts, floorSui: null });
  await page.reload();
  await expect(shown).toContainText('Holders');
  await expect(shown).not.toContainText('Floor');
});

test('all scripts of the first page weigh at most 110 kB (gzip)', async ({ page, request }) => {
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(scripts.size).toBeGreaterThan(1);
  const bodies = await Promise.all([...scripts].map(async (url) => (await request.get(url)).body()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(bytes).toBeLessThanOrEqual(110_000);
});
