import { rm, truncate, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { monthAfter } from '../../src/shared/utc-month.ts';
import type { Statement } from '../../src/treasury/core/statement-check.ts';
import type { StatementsAnswer } from '../../src/treasury/ledger-contract.ts';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test } from './support/browser.ts';

test.describe.configure({ timeout: 300_000 });

const statementsOf = async (url: string): Promise<StatementsAnswer['statements']> =>
  ((await (await fetch(`${url}/api/treasury/statements`)).json()) as { data: StatementsAnswer }).data.statements;

test.beforeEach(async ({ product }) => {
  // A new product first reads and prices its whole past.
  await until('the statements are made', async () => (await statementsOf(product.url)).length > 12, 240_000);
});

const overflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test('the movements lead to the statement of a month, which the browser recalculates', async ({ page, product }) => {
  const [{ month, sha256 } = { month: '', sha256: '' }] = await statementsOf(product.url);
  await page.goto('/rockfolio');
  await page.getByRole('region', { name: 'Movements' }).getByRole('link', { name: 'Monthly statements' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Monthly statements');
  const newest = page.getByRole('table', { name: 'Statements' }).getByRole('row').nth(1);
  await expect(newest).toContainText(`${sha256.slice(0, 8)}…`);
  expect(await problemsOf(page)).toEqual([]);
  await newest.getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(`/statements/${month}$`));
  await expect(page.getByText('Adds up', { exact: true })).toBeVisible();
  await expect(page.getByText(/The SHA-256 is the one that was published\.$/)).toBeVisible();
  await expect(page.getByText(sha256, { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Sums of the month' }).getByRole('row', { name: /^SUI/ })).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);

  // A4 without its margins: nothing can be scrolled there.
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  const sums = page.getByRole('region', { name: 'Sums of the month' });
  expect(await sums.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(page.getByRole('banner')).toBeHidden();
});

test('a changed byte in a file is detected, with the coin and the amount; the original file adds up', async ({
  page,
  product,
}) => {
  const [, { month } = { month: '' }] = await statementsOf(product.url);
  const file = await (await fetch(`${product.url}/statements/${month}.json`)).text();
  await page.goto('/statements');
  const check = page.getByRole('region', { name: 'Check your own file' });
  const choose = (text: string) =>
    check
      .getByLabel('A statement as a JSON file')
      .setInputFiles({ name: `${month}.json`, mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose(file);
  await expect(check.getByText('Adds up', { exact: true })).toBeVisible();
  const [, digit = ''] = /"openingRaw":"(\d)/.exec(file) ?? [];
  const at = file.indexOf('"openingRaw":"') + '"openingRaw":"'.length;
  await choose(`${file.slice(0, at)}${digit === '1' ? 2 : 1}${file.slice(at + 1)}`);
  await expect(check.getByText('Does not add up')).toBeVisible();
  await expect(check.getByText('The SHA-256 is not the one that was published.')).toBeVisible();
  await expect(
    check.getByText(/^SUI: the opening balance is stated as \d+ base units but is \d+ base units\.$/),
  ).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
  await choose(file.replace('"closingRaw":', '"closingRaw":"99999999999","closingRaw":'));
  await expect(check.getByText(/^It is not the published file byte for byte: a name is in it twice/)).toBeVisible();
  await choose(`\uFEFF${file}`);
  await expect(check.getByText('This is not a statement: it is not JSON, or it contains fractions.')).toBeVisible();
  const large = test.info().outputPath('large.json');
  await writeFile(large, '');
  await truncate(large, 65 * 1024 * 1024);
  await check.getByLabel('A statement as a JSON file').setInputFiles(large);
  await expect(check.getByText('This file is larger than 64 MB: no statement is that long.')).toBeVisible();
  await choose('a shopping list');
  await expect(check.getByText('This is not a statement: it is not JSON, or it contains fractions.')).toBeVisible();
});

test('a file that was edited after its check is checked again', async ({ page, product }) => {
  const [, { month } = { month: '' }] = await statementsOf(product.url);
  const text = await (await fetch(`${product.url}/statements/${month}.json`)).text();
  const path = test.info().outputPath(`${month}.json`);
  await page.goto('/statements');
  const check = page.getByRole('region', { name: 'Check your own file' });
  const choose = async (content: string): Promise<void> => {
    await writeFile(path, content);
    const chooser = page.waitForEvent('filechooser');
    await check.getByLabel('A statement as a JSON file').click();
    await (await chooser).setFiles(path);
  };
  await choose(text);
  await expect(check.getByText('Adds up', { exact: true })).toBeVisible();
  await choose(text.replace('"unaskedTransactions":', '"unaskedTransactions":1'));
  await expect(check.getByText('Does not add up')).toBeVisible();
});

test('a file that is gone before it is read is not taken for a server that does not answer', async ({ page }) => {
  const scripts = Promise.withResolvers<void>();
  await page.route(/\.js$/, async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/statements', { waitUntil: 'commit' });
  const path = test.info().outputPath('gone.json');
  await writeFile(path, '{}');
  await page.getByLabel('A statement as a JSON file').setInputFiles(path);
  await rm(path);
  scripts.resolve();
  await expect(page.getByText(/^Your browser could not read this file/)).toBeVisible();
});

test('a file of a month that is not published is still checked against the month before', async ({ page, product }) => {
  const [{ month, sha256 } = { month: '', sha256: '' }] = await statementsOf(product.url);
  const newest = (await (await fetch(`${product.url}/statements/${month}.json`)).json()) as Statement;
  const next: Statement = {
    ...newest,
    month: monthAfter(month),
    previousSha256: sha256,
    coins: newest.coins.map((coin) => ({
      ...coin,
      openingRaw: coin.closingRaw,
      unaskedRaw: '0',
      inRaw: '0',
      outRaw: '0',
    })),
    entries: [],
    totals: { ...newest.totals, gasMist: '0' },
  };
  await page.goto('/statements');
  const check = page.getByRole('region', { name: 'Check your own file' });
  const file = { name: 'next.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(next)) };
  await check.getByLabel('A statement as a JSON file').setInputFiles(file);
  await expect(check.getByRole('listitem')).toHaveText([`No statement for ${next.month} is published.`]);
});

test('a server that sends a different statement from the published one is detected', async ({ page, product }) => {
  const [{ month } = { month: '' }] = await statementsOf(product.url);
  await page.route(`**/statements/${month}.json`, async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({ body: text.replace('"unaskedTransactions":', '"unaskedTransactions":1') });
  });
  await page.goto(`/statements/${month}`);
  await expect(page.getByRole('alert')).toContainText('The SHA-256 is not the one that was published.');
});

test('a browser without SHA-256 says so, and still checks the sums', async ({ page, product }) => {
  const [{ month } = { month: '' }] = await statementsOf(product.url);
  await page.addInitScript(() => Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined }));
  await page.goto(`/statements/${month}`);
  await expect(page.getByText('Adds up', { exact: true })).toBeVisible();
  await expect(page.getByText(/can calculate SHA-256 only over https/)).toBeVisible();
});

test('on a phone nothing is wider than the screen, also without JavaScript', async ({ browser, product }) => {
  const [{ month, sha256 } = { month: '', sha256: '' }] = await statementsOf(product.url);
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({
      javaScriptEnabled,
      baseURL: product.url,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    for (const path of ['/statements', `/statements/${month}`]) {
      await page.goto(path);
      await expect(page.locator('main code').first()).toContainText(sha256.slice(0, 8));
      expect(await overflowPx(page), `${path}, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`).toBeLessThanOrEqual(0);
    }
    await context.close();
  }
});

test('the page of a month names it in its head; a month without a statement has no page', async ({ product }) => {
  const [{ month } = { month: '' }] = await statementsOf(product.url);
  const html = await (await fetch(`${product.url}/statements/${month}`)).text();
  expect(html).toMatch(/<title>Statement of \w+ \d{4} \| Sui Rocks<\/title>/);
  expect(html).toContain(`<link rel="canonical" href="${product.url}/statements/${month}">`);
  for (const other of ['1999-01', '9998-01', '2026-13', 'abc']) {
    expect((await fetch(`${product.url}/statements/${other}`)).status, other).toBe(404);
  }
});

test('the published bytes are JSON that caches revalidate by ETag; an invalid month is refused in one clear sentence', async ({
  product,
}) => {
  const [{ month } = { month: '' }] = await statementsOf(product.url);
  const answer = await fetch(`${product.url}/statements/${month}.json`);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
  expect((await fetch(`${product.url}/statements/${month}.json`, { headers })).status).toBe(304);
  const refused = async (asked: string) => {
    const refusal = await fetch(`${product.url}/statements/${asked}.json`);
    return [refusal.status, ((await refusal.json()) as { message: string }).message];
  };
  for (const asked of ['2026-13', 'abc', '2026-1', '-1']) {
    expect(await refused(asked)).toEqual([400, 'A month is written as in 2026-10.']);
  }
  expect(await refused('9998-01')).toEqual([
    404,
    'There is no statement for 9998-01 yet: it is made when its month has been over for an hour and the prices of that month are known.',
  ]);
  const first = (await statementsOf(product.url)).at(-1)?.month;
  expect(await refused('1999-01')).toEqual([404, `The first statement is for ${first}.`]);
});

test('/feed.atom is XML with fifty entries, and the treasury page leads to it', async ({ page, product }) => {
  await page.goto('/rockfolio');
  await expect(page.getByRole('link', { name: 'Feed', exact: true })).toHaveAttribute('href', '/feed.atom');
  await expect(page.locator('link[rel="alternate"]')).toHaveAttribute('href', '/feed.atom');
  const answer = await fetch(`${product.url}/feed.atom`);
  expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  // The content policy of the site's own pages lets no text become a document.
  await page.goto('about:blank');
  const read = await page.evaluate(
    (xml) => {
      const feed = new DOMParser().parseFromString(xml, 'application/xml');
      const { nodeName, namespaceURI } = feed.documentElement;
      return { root: nodeName, of: namespaceURI, entries: feed.querySelectorAll('entry').length };
    },
    await answer.text(),
  );
  expect(read).toEqual({
    root: 'feed',
    of: 'http://www.w3.org/2005/Atom',
    entries: 50,
  });
});
