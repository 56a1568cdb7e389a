import { expect, test } from './support/browser.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/nft');
});

test('the collection page says supply and price and shows a preview image', async ({ page }) => {
  const main = page.getByRole('main');
  await expect(main).toContainText(/Total Supply:?\s*555 Rocks/);
  await expect(main).toContainText(/Mint Price:?\s*10 SUI/);
  await expect(main.getByRole('img').first()).toBeVisible();
});

test("'Mint Your Own Rock for 10 SUI' opens the marketplace's mint tab", async ({ page }) => {
  const link = page.getByRole('link', { name: 'Mint Your Own Rock for 10 SUI' });
  await expect(link).toHaveAttribute('href', /tab=mint/);
  await expect(link).toHaveAttribute('rel', /noopener/);
});

test('the color distribution table shows the six colors, their percent and count, and leads to their rocks', async ({
  page,
}) => {
  const expected = [
    ['Powder Blue', '28.83%', '160'],
    ['Azure Pulse', '21.62%', '120'],
    ['Cool Cobalt', '18.02%', '100'],
    ['Ocean Stone', '15.32%', '85'],
    ['Charcoal Slate', '10.81%', '60'],
    ['Frosted Mist', '5.41%', '30'],
  ] as const;
  for (const [name, percent, count] of expected) {
    const row = page.getByRole('row').filter({ hasText: name });
    await expect(row).toContainText(percent);
    await expect(row).toContainText(count);
    const rocks = `/rocks?color=${encodeURIComponent(name)}`;
    await expect(row.getByRole('link', { name, exact: true })).toHaveAttribute('href', rocks);
  }
});

test('the color distribution table ends with the total of 555', async ({ page }) => {
  const last = page.getByRole('table', { name: 'Color distribution' }).getByRole('row').last();
  await expect(last.getByRole('rowheader')).toHaveText('All colors');
  await expect(last.getByRole('cell', { name: '555', exact: true })).toBeVisible();
});

test('the collection page scrolls to the top on load', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('link', { name: 'Join the Quest' }).click();
  await expect(page).toHaveURL(/\/nft$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('the collection page has community links', async ({ page }) => {
  const community = page.getByRole('region', { name: 'Sit by the fire' });
  for (const address of ['="https://t.me/suirocks"', '="https://x.com/suirocks"', '*="tab=items"']) {
    await expect(community.locator(`a[href${address}]`)).toBeVisible();
  }
});
