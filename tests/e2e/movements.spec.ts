import type { Page } from '@playwright/test';
import { until } from '../support/until.ts';
import { problemsOf } from './support/accessibility.ts';
import { expect, test } from './support/browser.ts';

test.beforeEach(async ({ product }) => {
  await until('the ledger is read', async () => (await ledgerOf(product.url)).complete, 90_000);
});

interface Ledger {
  readonly complete: boolean;
  readonly total: number;
  readonly entries: readonly { readonly kind: string; readonly digest: string }[];
}
const ledgerOf = async (url: string, query = ''): Promise<Ledger> => {
  const answer = (await (await fetch(`${url}/api/treasury/ledger${query}`)).json()) as { data: Ledger };
  return answer.data;
};

const movements = (page: Page) => page.getByRole('region', { name: 'Movements' });

test('Movements list every transaction, newest first, and each coin adds up to the balance on the chain', async ({
  page,
  product,
}) => {
  await page.goto('/rockfolio');
  const section = movements(page);
  await section.scrollIntoViewIfNeeded();
  const sums = section.getByRole('table', { name: 'Sums of all movements' });
  await expect(sums.getByRole('row', { name: /^SUI/ })).toBeVisible({ timeout: 60_000 });
  await expect(
    section.getByText(/Every coin adds up to what was on the chain at checkpoint \d+, to the last unit\./),
  ).toBeVisible();
  const { total } = await ledgerOf(product.url);
  await expect(section.getByText(new RegExp(`^${total} movements$`))).toBeVisible();
  await expect(section.getByRole('link', { name: /^Transaction/ })).toHaveCount(50);
  expect(await problemsOf(page)).toEqual([]);
});

test('without movements the page says whether nothing has moved, nothing is read yet, or nothing matches', async ({
  page,
}) => {
  let complete = false;
  await page.route('**/api/treasury/ledger*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { data: { ...answer.data, complete, total: 0, entries: [] } } });
  });
  await page.goto('/rockfolio');
  await expect(movements(page).getByText('No movement has been read yet.')).toBeVisible({ timeout: 30_000 });
  complete = true;
  await page.reload();
  await expect(movements(page).getByText('Nothing has moved yet.')).toBeVisible({ timeout: 30_000 });
  await movements(page).getByLabel('Kind').selectOption('Swap');
  await expect(movements(page).getByText('No movements match these filters.')).toBeVisible({ timeout: 30_000 });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('movements can be filtered by kind, paged, and downloaded as CSV', async ({ page, product }) => {
  await page.goto('/rockfolio');
  const section = movements(page);
  await section.getByLabel('Kind').selectOption('Swap');
  const { total } = await ledgerOf(product.url, '?kind=swap');
  await expect(section.getByText(new RegExp(`^${total} movements?$`))).toBeVisible({ timeout: 30_000 });
  await expect(section.getByRole('listitem')).toHaveCount(total);
  await section.getByLabel('Kind').selectOption('All kinds');
  await section.getByRole('button', { name: 'Older' }).click();
  await expect(section.getByText(/^Page 2 of \d+$/)).toBeVisible();
  await expect(section.getByText(/^\d+ movements$/)).toBeFocused();
  await expect(section.getByText(/^\d+ movements$/)).toBeInViewport();
  await section.getByLabel('Kind').selectOption('Swap');
  await expect(page).toHaveURL(/\/rockfolio\?kind=swap$/);
  await page.goBack();
  await expect(section.getByText(/^Page 2 of \d+$/)).toBeVisible();
  const csv = await fetch(`${product.url}/api/treasury/ledger.csv`);
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="sui-rocks-ledger.csv"');
  expect((await csv.text()).split('\r\n').length).toBeGreaterThan(500);
});

test('Sweeps show the result of each collection bought, piece by piece, and the counted win rate', async ({ page }) => {
  await page.goto('/rockfolio');
  const section = page.getByRole('region', { name: 'Sweeps' });
  await section.scrollIntoViewIfNeeded();
  await expect(section.getByText(/Win rate as counted: \d+\.\d\d%, \d+ of \d+ pieces sold/)).toBeVisible({
    timeout: 30_000,
  });
  await expect(section.getByText('Declared by the team: 66.66%.')).toBeVisible();
  const row = section.getByRole('row', { name: /^Lava Lizards/ });
  await expect(row).toContainText(/\d+ bought, \d+ sold, \d+ held/);
  await section.getByText('Each piece of Lava Lizards').click();
  await expect(section.getByRole('link', { name: /^Bought for [\d.]+ SUI/ }).first()).toBeVisible();
  await expect(section.getByText(/Sold, [+-][\d.]+ SUI$/).first()).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
});

test('pieces of an invalid type or an invalid page are refused in one clear sentence', async ({ product }) => {
  for (const query of ['collection=abc', 'collection=0x1::bat::Bat&page=0', '', 'collection=0x1::bat::Bat&color=red']) {
    const answer = await fetch(`${product.url}/api/treasury/sweeps/pieces?${query}`);
    expect([query, answer.status]).toEqual([query, 400]);
    expect(((await answer.json()) as { message: string }).message).toMatch(/^The (field|query)[^\n]+\.$/);
  }
});

test('an invalid page, kind or coin is refused in one clear sentence', async ({ product }) => {
  const refused = async (query: string) => {
    const answer = await fetch(`${product.url}/api/treasury/ledger?${query}`);
    return [answer.status, ((await answer.json()) as { message: string }).message];
  };
  const pageSentence = 'The field "page" of the query is not valid: a whole number from 1 to 10000 is expected.';
  for (const page of ['-1', '0', '1000000000', 'abc'])
    expect(await refused(`page=${page}`)).toEqual([400, pageSentence]);
  expect(await refused('coin=abc')).toEqual([
    400,
    'The field "coin" of the query is not valid: a type such as 0x2::sui::SUI is expected.',
  ]);
  expect((await refused('kind=theft'))[0]).toBe(400);
  expect((await refused('color=red'))[0]).toBe(400);
});
