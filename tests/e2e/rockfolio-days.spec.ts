import type { Page } from '@playwright/test';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test } from './support/admin.ts';
import { callAs } from './support/telegram-groups.ts';

interface Point {
  readonly at: string;
  readonly totalUsdValue: number;
  readonly estimated: boolean;
}

const pointsOf = async (url: string): Promise<readonly Point[]> => {
  const answer = await fetch(`${url}/api/treasury/history?days=all`);
  return ((await answer.json()) as { readonly data: { readonly points: readonly Point[] } }).data.points;
};

test.beforeEach(async ({ product }) => {
  const isPriced = async (): Promise<boolean> => {
    const lastDayMs = Date.parse(
      (await pointsOf(product.url)).findLast(({ estimated }) => estimated)?.at ?? '1970-01-01',
    );
    return Date.now() - lastDayMs < 2 * 86_400_000;
  };
  await until('the days of the ledger are priced', isPriced, 120_000);
});

const chart = (page: Page) => page.getByRole('region', { name: 'Value over time' });
const trend = (page: Page) => page.getByRole('group', { name: 'Trend' });

test("'All' begins with the first transaction; estimated values are dashed, and text, legend and table say so", async ({
  page,
  product,
}) => {
  const points = await pointsOf(product.url);
  await page.goto('/rockfolio');
  const section = chart(page);
  await section.getByText('All', { exact: true }).click();
  const slider = section.getByRole('slider', { name: 'Reading' });
  await expect(slider).toHaveAttribute('max', String(points.length - 1), { timeout: 30_000 });
  const strokes = await section
    .locator('svg')
    .first()
    .locator('path.stroke-chart-2')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).strokeDasharray));
  expect(new Set(strokes)).toEqual(new Set(['7px, 4px', 'none']));
  await expect(section.getByRole('list', { name: 'Lines' }).getByRole('listitem')).toHaveText([
    'Read',
    'Estimated',
    'Same money held in SUI',
  ]);
  await expect(section).toContainText('Estimated values are of coins only, from the chain at prices of the time.');
  await slider.press('Home');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /^\$[\d,.]+, .* UTC, estimated, The same money held in SUI: \$/,
  );
  expect(await problemsOf(page)).toEqual([]);
  await section.getByText('Value over time as a table').click();
  const table = section.getByRole('table', { name: 'Value over time, readings' });
  await expect(table.getByRole('columnheader', { name: 'Held in SUI' })).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(points.length + 1);
  await expect(table.getByRole('row').last()).toContainText('(estimated)');
});

test('a range chosen before hydration is the one shown after it', async ({ page, product }) => {
  const scripts = Promise.withResolvers<undefined>();
  await page.route('**/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  const points = await pointsOf(product.url);
  await page.goto('/rockfolio', { waitUntil: 'commit' });
  await chart(page).getByText('All', { exact: true }).click();
  scripts.resolve(undefined);
  const slider = chart(page).getByRole('slider', { name: 'Reading' });
  await expect(slider).toHaveAttribute('max', String(points.length - 1), { timeout: 30_000 });
  await expect(chart(page).getByRole('radio', { name: 'All' })).toBeChecked();
});

test('total, trend, then proof; each change has a sign, a word, its percent and its split', async ({ page }) => {
  await page.goto('/rockfolio');
  const names = await page
    .getByRole('main')
    .getByRole('group')
    .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));
  expect(names.slice(0, 3)).toEqual(['Total Value', 'Trend', 'Proof']);
  const changes = trend(page).locator('dl > div');
  await expect(changes).toHaveCount(3);
  for (const [index, name] of ['24 hours', '7 days', '30 days'].entries()) {
    await expect(changes.nth(index)).toContainText(name);
    await expect(changes.nth(index)).toContainText(/[▲▼=](up|down|unchanged) [+−]?\$[\d,.]+ \([+−]?[\d.]+%\)/);
    await expect(changes.nth(index)).toContainText(/Moved in or out [+−]?\$[\d,.]+, price [+−]?\$[\d,.]+/);
    await expect(changes.nth(index).getByText(/since \d+ [A-Z][a-z]{2} \d\d:\d\d UTC$/)).toBeVisible();
  }
  await expect(trend(page)).toContainText('The last 30 days, coins only; dashed: estimated from the chain.');
});

test('on a phone trend and downloads are within two screens, with links to the sections', async ({ page }) => {
  const height = 740;
  await page.setViewportSize({ width: 360, height });
  await page.goto('/rockfolio');
  await expect(trend(page).locator('dl')).toContainText('$');
  const download = page.getByRole('group', { name: 'Proof' }).getByRole('link', { name: /^Download/ });
  await expect(download).toHaveCount(2);
  for (const part of [trend(page), download.last()]) {
    const box = await part.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? Infinity)).toBeLessThanOrEqual(2 * height);
  }
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  await expect(links).toHaveText(['Trend', 'Value over time', 'Plan', 'Holdings', 'Movements', 'Proof']);
  for (const link of await links.all()) {
    const id = (await link.getAttribute('href'))?.slice(1) ?? '';
    await expect(page.locator(`[id="${id}"]`)).toHaveCount(1);
  }
});

test('without a trend the page says so, and everything else is shown', async ({ page, complaints }) => {
  await page.route('**/api/treasury/trend', (route) =>
    route.fulfill({ status: 404, json: { message: 'There is no such call.', code: 'not-found' } }),
  );
  await page.goto('/rockfolio');
  await expect(page.getByRole('group', { name: 'Total Value' })).toContainText('$');
  await expect(trend(page).getByText('Not known right now')).toHaveCount(3);
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('404')));
});

test("home shows the treasury's value with its line, without moving the content below", async ({ page, product }) => {
  const held = Promise.withResolvers<undefined>();
  await page.route('**/api/treasury/trend', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Treasury', exact: true }) });
  await expect(card).toContainText('Loading...');
  const before = await card.boundingBox();
  held.resolve(undefined);
  const { totalUsdValue } = (
    (await (await fetch(`${product.url}/api/treasury/trend`)).json()) as {
      readonly data: { readonly totalUsdValue: number };
    }
  ).data;
  await expect(card).toContainText(`$${Math.floor(totalUsdValue / 1_000)}`);
  await expect(card.locator('svg path.\\[vector-effect\\:non-scaling-stroke\\]').first()).toBeAttached();
  expect((await card.boundingBox())?.height).toBe(before?.height);
  expect(await problemsOf(page)).toEqual([]);
});

test("the team's notes are marks on the line, read with it and listed below it", async ({ page, product, signIn }) => {
  await signIn('/admin?tab=treasury');
  const { entries } = (
    (await (await fetch(`${product.url}/api/treasury/ledger?page=3`)).json()) as {
      readonly data: { readonly entries: readonly { readonly digest: string }[] };
    }
  ).data;
  const path = `/api/admin/treasury/notes/${entries[0]?.digest}`;
  await callAs(page, 'PUT', path, { text: 'Paint for the <cave>', link: null });
  await page.goto('/rockfolio');
  const section = chart(page);
  await section.getByText('All', { exact: true }).click();
  await expect(section.getByRole('list', { name: 'Lines' })).toContainText('Team’s note', { timeout: 30_000 });
  // One on the line and one in the legend.
  await expect(section.locator('.chart-mark')).toHaveCount(2);
  await section.getByText('The team’s notes (1)').click();
  const line = section.getByRole('list', { name: 'The team’s notes' }).getByRole('listitem');
  await expect(line).toContainText(/^\d+ \w+ \d{4}, \d\d:\d\d UTC: Paint for the <cave>/);
  expect(await problemsOf(page)).toEqual([]);
  const day = (await line.innerText()).split(',')[0] ?? '';
  const slider = section.getByRole('slider', { name: 'Reading' });
  const nowhere = { x: 0, y: 0, width: 0, height: 0 };
  const mark = (await section.locator('.chart-mark').first().boundingBox()) ?? nowhere;
  await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2);
  await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`${day}.*, Team’s note: Paint for the <cave>$`));
  await callAs(page, 'DELETE', path);
});
