import type { Browser, Page } from '@playwright/test';
import type { PayoutPlan } from '../../src/payouts/payouts-contract.ts';
import type { Product } from '../support/product.ts';
import { payLines, type Treasurer, treasurerOf, untilPaid } from '../support/published-payout.ts';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { admin, expect, test } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';
import { smallTargets, textsOffScreen } from './support/on-a-phone.ts';

test.use({ worldOf: 'payouts' });
test.describe.configure({ timeout: 180_000, mode: 'serial' });

const title = 'October 🪨';
const reason = 'Revenue of October: what the sweeps have brought';
let treasurer: Treasurer;
let october: PayoutPlan;

const calculate = (page: Page) => page.getByRole('button', { name: 'Calculate it here' });
const onPhone = (browser: Browser, product: Product, javaScriptEnabled = true) =>
  browser.newContext({ baseURL: product.url, viewport: { width: 360, height: 740 }, javaScriptEnabled });

test("before the first payout the page says 'None yet' and nothing else", async ({ page }) => {
  await page.goto('/payouts');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payouts');
  await expect(page.getByRole('main')).toHaveText('PayoutsNone yet');
  expect(await problemsOf(page)).toEqual([]);
  await page.goto('/rockfolio');
  await expect(page.getByRole('region', { name: 'Distributed so far' })).toContainText('Nothing yet');
});

test('a published payout is shown as the next one, with every line unpaid', async ({ page, product }) => {
  treasurer = await treasurerOf(product, admin);
  october = await treasurer.publish({ title, reason, shareRaw: '10000007' });
  await page.goto('/payouts');
  const next = page.getByRole('region', { name: title });
  await expect(next).toContainText('Published');
  await expect(next).toContainText('0.010000007 SUI for each rock');
  await expect(page.getByRole('region', { name: 'What one rock has received so far' })).toContainText('Nothing yet');
  await next.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Payout ${october.payout}`);
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByText(/^0 SUI paid, 0 of \d+ holders\.$/)).toBeVisible();
  await calculate(page).click();
  await expect(page.getByText('Adds up', { exact: true })).toBeVisible();
  await expect(page.getByText('None of it has been paid yet.')).toBeVisible();
});

test('a paid payout shows its hash, snapshot, left-out addresses, and every line with its transaction', async ({
  page,
  product,
}) => {
  const digest = await payLines(product, october.lines);
  await untilPaid(product, october.payout);
  await page.goto(`/payouts/${october.payout}`);
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: `Checkpoint ${october.snapshot.checkpoint}` })).toHaveAttribute(
    'href',
    new RegExp(`/checkpoint/${october.snapshot.checkpoint}$`),
  );
  await expect(page.getByRole('table', { name: 'Left out' })).toContainText('The treasury pays nothing to itself');
  const [coinType, hash] = [page.locator('code').first(), page.locator('code').nth(1)];
  await expect(coinType).toHaveText('0x2::sui::SUI');
  await expect(coinType).toHaveAttribute('title', october.coin.type);
  await expect(hash).toHaveText(/^[0-9a-f]{64}$/);
  await expect(page.getByRole('link', { name: 'Plan (JSON)' })).toHaveAttribute('href', /plan\.json$/);
  await expect(page.getByRole('link', { name: 'Lines (CSV)' })).toHaveAttribute('href', /lines\.csv$/);
  const row = page.getByRole('table', { name: 'Lines' }).getByRole('row').nth(1);
  await expect(row.getByRole('link', { name: /^\w{8}…/ })).toHaveAttribute('href', new RegExp(`/tx/${digest}$`));
  expect(await problemsOf(page)).toEqual([]);
});

test('a rock left out by its number is listed as one without a known owner', async ({ page }) => {
  await page.route(`**/api/payouts/${october.payout}`, async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: { leftOut: object[] } };
    data.leftOut.push({ address: null, rocks: [12, 34], reason: 'Frozen for ever' });
    await route.fulfill({ json: { data } });
  });
  await page.goto(`/payouts/${october.payout}`);
  const row = page.getByRole('table', { name: 'Left out' }).getByRole('row').last();
  await expect(row).toHaveText('Frozen for ever2No known owner: #12, #34');
  await page.unrouteAll({ behavior: 'wait' });
});

test("'Check it yourself' says that it adds up, or names what the server has changed", async ({ page }) => {
  const path = `/payouts/${october.payout}`;
  await page.goto(path);
  await calculate(page).click();
  const adds = page.getByRole('status').filter({ hasText: 'Adds up' });
  await expect(adds).toContainText('The SHA-256 is the one that was published.');
  await expect(adds).toContainText('Every line is paid once and to the last unit, by 1 transaction.');
  expect(await problemsOf(page)).toEqual([]);

  const [line] = october.lines;
  await page.route('**/plan.json', async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({ body: text.replace(`"raw":"${line!.raw}"`, `"raw":"${BigInt(line!.raw) + 1n}"`) });
  });
  await page.goto(path);
  await calculate(page).click();
  const differs = page.getByRole('alert').filter({ hasText: 'Does not add up' });
  await expect(differs).toContainText(/The SHA-256 of the plan is [0-9a-f]{64}, but [0-9a-f]{64} was published\./);
  await expect(differs).toContainText(`${line!.address}: the share times ${line!.rocks.length} is`);
  await page.unroute('**/plan.json');

  await page.route('**/api/payouts/*?page=*', async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({ body: text.replace('"payments":[{', '"payments":[],"unread":[{') });
  });
  await page.goto(path);
  await calculate(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Adds up' })).toContainText('1 line not paid yet');
  await page.unroute('**/api/payouts/*?page=*');

  await page.route(`**/api/payouts/${october.payout}`, async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({ body: text.replace('"total":', '"unread":') });
  });
  await page.goto(path);
  await calculate(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    'It could not be checked: the server does not say how many lines there are.',
  );
  await page.unroute(`**/api/payouts/${october.payout}`);
});

test('a line is found by rock and by address, which the URL keeps', async ({ page, complaints }) => {
  const line = october.lines.at(-1)!;
  const lines = page.getByRole('table', { name: 'Lines' });
  await page.goto(`/payouts/${october.payout}`);
  const find = async (text: string) => {
    await page.getByLabel('Rock number or address').fill(text);
    await page.getByRole('button', { name: 'Find' }).click();
  };
  await find(`#${line.rocks[0]}`);
  await expect(page).toHaveURL(new RegExp(`\\?find=${line.rocks[0]}$`));
  await expect(lines.getByRole('row')).toHaveCount(2);
  await expect(lines.getByRole('link').first()).toHaveAttribute('href', `/holders/${line.address}`);
  await page.reload();
  await expect(lines.getByRole('row')).toHaveCount(2);
  await find(line.address);
  await expect(page).toHaveURL(new RegExp(`\\?find=${line.address}$`));
  await expect(lines.getByRole('row')).toHaveCount(2);
  // By keyboard alone: neither the focus nor the typed text is lost.
  const field = page.getByLabel('Rock number or address');
  await field.fill(`#${line.rocks[0]}`);
  await field.press('Enter');
  await expect(page).toHaveURL(new RegExp(`\\?find=${line.rocks[0]}$`));
  await expect(field).toBeFocused();
  await find('a shopping list');
  await expect(page.getByText(/0x followed by 64 digits\. All lines are shown\.$/)).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('a shopping list');
  expect((await page.reload())?.status()).toBe(400);
  forgiveStatus(complaints, 400);
  await expect(field).toHaveValue('a shopping list');
  await page.goBack();
  await expect(field).toHaveValue(String(line.rocks[0]));
  await page.goForward();
  expect(await problemsOf(page)).toEqual([]);
  await find('999999');
  await expect(page.getByText(/^The plan has no such line/)).toBeVisible();
  await page.getByRole('button', { name: 'Show every line' }).click();
  await expect(page).toHaveURL(/\/payouts\/\d+$/);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(lines.getByRole('row')).toHaveCount(october.lines.length - 100 + 1);
  await page.goto(`/payouts/${october.payout}?page=99`);
  await expect(page.getByText('There is no such page: the last one is 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the last page' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(lines.getByRole('row')).toHaveCount(october.lines.length - 100 + 1);
});

test('the page names deviations, a payment to a stranger and a withdrawal', async ({ page, product }) => {
  const november = await treasurer.publish({ title: 'November', shareRaw: '20000003' });
  const [first, second] = november.lines;
  await payLines(product, [
    first!,
    { ...second!, raw: String(BigInt(second!.raw) + 1n) },
    { address: `0x${'9'.repeat(64)}`, raw: '5' },
  ]);
  const answer = async () => (await fetch(`${product.url}/api/payouts/${november.payout}`)).json();
  await until(
    'the payments were read',
    async () => ((await answer()) as { data: { state: string } }).data.state === 'paying',
    60_000,
  );
  await page.goto(`/payouts/${november.payout}`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    '1 line got a different amount than planned, or the money went to another address.',
  );
  await expect(alert).toContainText('1 payment went to an address to which the plan gives nothing.');
  await expect(page.getByRole('table', { name: 'Payments that no line explains' })).toContainText('0.000000005 SUI');
  await calculate(page).click();
  const found = page.getByRole('alert').filter({ hasText: 'Does not add up' });
  await expect(found).toContainText('which the plan does not name.');
  await expect(found).toContainText(`to ${second!.address}. The plan gives it`);
  expect(await problemsOf(page)).toEqual([]);

  const december = await treasurer.publish({ title: 'December', shareRaw: '30000000' });
  await treasurer.withdraw(december.payout, 'The snapshot was a day too early');
  await page.goto(`/payouts/${december.payout}`);
  await expect(page.getByText(/^Withdrawn on .*: The snapshot was a day too early$/)).toBeVisible();
});

test('rock, holder and treasury show what was paid', async ({ page }) => {
  const [line] = october.lines;
  await page.goto(`/rocks/${line!.rocks[0]}`);
  const received = page.getByRole('region', { name: 'What it received' });
  await expect(received.getByRole('listitem').last()).toContainText('0.010000007 SUI');
  await received.getByRole('link', { name: title, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/payouts/${october.payout}$`));
  await page.goto(`/holders/${line!.address}`);
  await expect(page.getByRole('region', { name: 'What was paid here' }).getByRole('listitem')).toHaveCount(2);
  await page.goto('/rockfolio');
  const distributed = page.getByRole('region', { name: 'Distributed so far' });
  await expect(distributed).toContainText(/\d\.\d+ SUI/);
  const movements = page.getByRole('region', { name: 'Movements' });
  await movements.getByLabel('Kind').selectOption('Payout');
  await expect(movements.getByRole('link', { name: `Payout ${october.payout}`, exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await distributed.getByRole('link', { name: 'All payouts' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payouts');
});

test('on a phone nothing is wider than the screen or too small for touch, with JavaScript and without', async ({
  browser,
  product,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await onPhone(browser, product, javaScriptEnabled);
    const page = await context.newPage();
    const line = october.lines[0]!;
    for (const path of ['/payouts', `/payouts/${october.payout}`, `/payouts/${october.payout}?find=${line.rocks[0]}`]) {
      await page.goto(path);
      const shown = javaScriptEnabled ? page.getByRole('table').last() : page.locator('.plain-payout');
      await expect(shown).toContainText(/\d SUI/);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflowPx, path).toBeLessThanOrEqual(0);
      if (!javaScriptEnabled) continue;
      expect(await smallTargets(page), path).toEqual([]);
      expect(await textsOffScreen(page), path).toEqual([]);
    }
    await context.close();
  }
});
