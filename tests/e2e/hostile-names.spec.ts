import type { Page } from '@playwright/test';
import type { RocksAnswer } from '../../src/market/rocks-contract.ts';
import { treasurerOf } from '../support/published-payout.ts';
import { admin, expect, test } from './support/admin.ts';
import { callAs, setUpGroup } from './support/telegram-groups.ts';
import { seeded } from './support/discord-life.ts';

const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const coinType = `0x${'e'.repeat(64)}::evil::EVIL`;

async function shown(page: Page, address: string, words: string): Promise<void> {
  // The coin and the collection of that name are read one after the other: a page loaded in between shows only one of them.
  await expect(async () => {
    await page.goto(address);
    await expect(page.getByText(words).first()).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  expect(await page.locator('img[src="x"], [onerror], a[href^="javascript"], main script').count()).toBe(0);
  expect(await page.title()).not.toMatch(/^[12]$/);
}

test('a name from the chain stays text on the site and in the admin area', async ({ page, product, signIn }) => {
  const control = (path: string, body: object) => product.control(path, body);
  const metadata = {
    symbol: `E${markup}`,
    name: markup,
    decimals: 9,
    iconUrl: 'javascript:alert(1)',
    description: markup,
  };
  await control('/control/add-coin', { coinType, metadata });
  await control('/control/set-price', { coinType, priceUsd: '2', confidence: 0.99 });
  await control('/control/set-balance', { coinType, coinBalance: '5000000000000' });
  const { guildId, memberIds } = await seeded(product);
  await control('/control/discord/update-guild', { guildId, name: `Rocks ${markup}`.slice(0, 100) });
  await control('/control/discord/update-member', { guildId, userId: memberIds[0], nick: '<b>Gwen</b>' });
  await signIn('/admin');
  await callAs(page, 'POST', '/api/discord/init');
  await setUpGroup(page, product, `Cave ${markup}`);

  await expect
    .poll(async () => JSON.stringify(await callAs(page, 'GET', '/api/treasury/balance')), { timeout: 20_000 })
    .toContain('onerror');
  await shown(page, '/rockfolio', 'E<img src=x');
  await shown(page, '/admin?view=servers', 'Rocks <img src=x');
  await shown(page, '/admin?tab=telegram&view=configurations', 'Cave <img src=x');
  await shown(page, '/admin?tab=activity', 'Cave <img src=x');
});

test("a rock's name and a payout's words stay text on the pages of rocks, holders and payouts", async ({
  page,
  product,
}) => {
  const formula = '=HYPERLINK("https://evil.example")';
  const holder = `0x${'7'.repeat(64)}`;
  const fields = { name: `Rock ${markup}`, image_url: 'javascript:alert(1)' };
  await product.control('/control/set-display', { collection: 'rocks', kind: 'version-2', fields });
  await product.control('/control/mint', { collection: 'rocks', address: holder });
  const held = async () =>
    ((await (await fetch(`${product.url}/api/rocks?owner=${holder}`)).json()) as { data: RocksAnswer }).data?.rocks[0];
  await expect.poll(async () => (await held())?.name, { timeout: 60_000 }).toContain('onerror');
  const number = (await held())?.number ?? 0;
  const treasurer = await treasurerOf(product, admin);
  const { payout } = await treasurer.publish({ title: `${formula} <img src=x>`, reason: markup, shareRaw: '10000007' });

  await shown(page, `/rocks/${number}`, 'Rock <img src=x');
  await shown(page, `/holders/${holder}`, `Rock #${number}`);
  await shown(page, `/rocks?owner=${holder}`, `Rock #${number}`);
  await shown(page, '/payouts', `${formula} <img src=x>`);
  await shown(page, `/payouts/${payout}`, '<img src=x onerror=');
  for (const path of [`/rocks/${number}`, `/payouts/${payout}`, '/payouts', '/rocks', '/feed.atom']) {
    const text = await (await fetch(product.url + path)).text();
    expect([path, /<img src=x|<script>document/.test(text)]).toEqual([path, false]);
  }
});
